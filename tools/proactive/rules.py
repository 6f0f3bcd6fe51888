"""What the loaded packs say unasked, as one set of rules."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from tools.catalogue.pack import Pack
from tools.catalogue.proactive_file import Achievement, Remark


@dataclass(frozen=True)
class ProactiveRules:
    """Lines and rules; the name of a rule says which pack it is of."""

    check_ins: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    achievements: tuple[Achievement, ...] = ()
    low_mood: tuple[str, ...] = ()
    high_mood: tuple[str, ...] = ()

    @classmethod
    def of(cls, packs: Iterable[Pack]) -> Self:
        """Join what each pack says."""
        files = [(pack.name, pack.proactive) for pack in packs]
        return cls(
            tuple(line for _, file in files if file.check_in for line in file.check_in.say),
            tuple(
                rule.model_copy(update={"id": f"{name}.{rule.id}"})
                for name, file in files
                for rule in file.observations
            ),
            tuple(
                rule.model_copy(update={"id": f"{name}.{rule.id}"})
                for name, file in files
                for rule in file.achievements
            ),
            tuple(line for _, file in files for line in file.mood.low),
            tuple(line for _, file in files for line in file.mood.high),
        )

    @property
    def counted(self) -> tuple[Remark | Achievement, ...]:
        """List what is counted in the events of a session."""
        return (*self.remarks, *self.achievements)

    @property
    def says_nothing(self) -> bool:
        """Tell whether nothing is ever said unasked, reminders apart."""
        moods = (*self.low_mood, *self.high_mood)
        return not (self.check_ins or self.counted or moods)
