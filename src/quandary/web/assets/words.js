// The words of a page of a match in other languages than English.
//
// words.inLanguage("zh") returns say(phrase, values): say("row {row}", {row: 1}).  A phrase without
// a translation stays English.
"use strict";

const words = (() => {
  const TRANSLATIONS = {
    zh: {
      "There is no connection to the server; what you typed is kept. Try again.": "无法连接服务器；你输入的内容已保留，请重试。",
      "This did not work; try again.": "没有成功，请重试。",
      "under way": "进行中",
      "A seat is open.": "有一个空座位。",
      "The match is under way. It hides something, so it can be watched after its end.": "对局正在进行，其中有隐藏的内容，结束后才能观看。",
      "You are watching.": "你正在观看。",
      "{who} plays {move}": "{who} 走 {move}",
      "{who} (seat {seat})": "{who}（{seat} 号座位）",
      "Your turn": "你的回合",
      "Waiting for another player: send the link below.": "正在等待另一位玩家：请把下面的链接发给对方。",
      "Waiting for the other player.": "正在等待对方。",
      "It is your turn.": "轮到你了。",
      "Hint": "提示",
      "What my last move cost": "上一步损失了多少",
      "Solution": "解答",
      "Take back": "悔棋",
      "Claim the match": "判对方负",
      "Give up": "放弃",
      "Really give up?": "真的放弃吗？",
      "Go on with the study": "继续研究",
      "To the match after this one": "进入下一局",
      "Play again": "再来一局",
      "Play another instance": "换一题再来一局",
      "Share": "分享",
      "Copy the result": "复制结果",
      "Copied: {text}": "已复制：{text}",
      "Link for the other player": "给另一位玩家的链接",
      "Send": "发送",
      "Send this move": "发送这一步",
      "Legal moves": "合法的走法",
      "and {count} more, which can be typed": "还有 {count} 种，可以直接输入",
      "Reply in words": "用文字回复",
      "Reply in parts": "分项回复",
      "Your answer": "你的答案",
      "Your move": "你的走法",
      "Put it together from its parts": "分项填写",
      "Answer in parts": "分项作答",
      "Answer as text": "用文字作答",
      "The whole answer as text": "完整答案的文字",
      "Type it as text": "直接输入文字",
      "answer": "答案",
      "process": "过程",
      "entries with spaces between them": "各项之间用空格分隔",
      "one row per line, with spaces between its parts; nothing if there are none": "每行一项，各部分用空格分隔；没有则留空",
      "one row per line, with an empty line between entries": "每行一行，各项之间空一行",
      "one entry per line, or JSON": "每行一项，或写 JSON",
      "{low} to {high}": "{low} 到 {high}",
      "row {row}, column {column}": "第 {row} 行第 {column} 列",
      "one of {symbols}": "{symbols} 之一",
    },
  };

  function inLanguage(language) {
    const known = TRANSLATIONS[language] || {};
    return (phrase, values = {}) => (known[phrase] || phrase).replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  return { inLanguage };
})();
