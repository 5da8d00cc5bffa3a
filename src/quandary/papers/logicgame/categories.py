"""The categories of the published items: their labels, in both files, and our names of them."""

from __future__ import annotations

EXECUTION = {
    "字符查找": "character_search",
    "字符串插入": "string_insertion",
    "字符串合成": "string_synthesis",
    "合成拆解": "synthesis_and_decomposition",
    "字符串删改": "string_deletion",
    "字符串重排": "string_rearrangement",
    "字符串分割": "string_splitting",
    "字符串处理": "string_processing",
    "麻将类": "mahjong",
    "统计计数": "statistical_counting",
    "新运算符计算": "new_operator",
    "元素操作": "element_operations",
    "Lights out": "lights_out",
    "模式识别": "pattern_recognition",
    "黑白棋": "reversi",
    "矩阵变换": "matrix_transformation",
    "2048": "slide_2048",
    "路径移动": "path_movement",
    "池化": "pooling",
}
PLANNING = {
    "单选自推理": "self_reasoning",
    "排列组合": "linear_arrangement",
    "相生相克": "mutual_restriction",
    "逻辑等式": "logical_equations",
    "组合计算": "combinatorial_calculation",
    "八皇后": "eight_queens",
    "字母逻辑图": "letter_diagram",
    "逻辑拼图": "logic_puzzle",
    "扫雷": "minesweeper",
    "数独": "standard_sudoku",
    "运算规则数独": "arithmetic_sudoku",
    "密码破译": "cryptanalysis",
}
CATEGORIES = EXECUTION | PLANNING
