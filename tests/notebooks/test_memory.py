from tests.notebooks.memory import KERNEL_MB, NOTEBOOKS, megabytes


def test_the_heaviest_lesson_leaves_room_for_a_class() -> None:
    heaviest = NOTEBOOKS / "vi" / "10-your-numbers.ipynb"  # memory.py prints them all
    assert 50 < megabytes(heaviest) < KERNEL_MB
