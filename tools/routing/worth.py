"""What confidence says where it is not a chance: what is only offered, and what is declined.

Policy asks for `offer_confidence` before it shows a chip and for more before it names or runs
anything (policy.toml); these stand safely between its thresholds.
"""

OFFERED = 0.45
"""Below one half: such an action may be offered and is never sure."""
DECLINED = 0.15
"""Below what is named or offered."""
