"""Three hundred questions of every level, drawn once for two looks at them."""

from __future__ import annotations

import pytest
from proofs import states
from proofs.resumable import state_levels

from next_steps import check_steps
from second_opinions import faults_of


@pytest.mark.heavy
@pytest.mark.parametrize("level", list(state_levels()))
def test_300_states(level: str) -> None:
    """A second solver agrees with every label, and every step is called what it is.

    All moves of most levels are tried; k_queens and tall towers have up to 900.
    """
    for seed in range(300):
        tasks = states.drawn(level, seed)

        check_steps(tasks.step, 100, seed)
        assert [] == list(faults_of(tasks, 3))
