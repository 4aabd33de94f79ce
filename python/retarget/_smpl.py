"""SMPL, SMPL-H, SMPL-X and AMASS: `.npz` files of body parameters to clips and back."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._retarget import Clip, _load, from_rotations

_BODY = (
    "Pelvis Left_hip Right_hip Spine1 Left_knee Right_knee Spine2 Left_ankle Right_ankle Spine3 Left_foot Right_foot "
    "Neck Left_collar Right_collar Head Left_shoulder Right_shoulder Left_elbow Right_elbow Left_wrist Right_wrist"
).split()
_FINGERS = ("index", "middle", "pinky", "ring", "thumb")
_HANDS = [f"{side}_{finger}{n}" for side in ("Left", "Right") for finger in _FINGERS for n in (1, 2, 3)]

_NAMES = {
    24: [*_BODY, "Left_palm", "Right_palm"],
    52: [*_BODY, *_HANDS],
    55: [*_BODY, "Jaw", "Left_eye", "Right_eye", *_HANDS],
}
"""The joints by their number: of SMPL, SMPL-H and SMPL-X, in the models' order."""


# From a world with Z up to one with Y up.
_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def from_smpl(
    source: str | os.PathLike[str],
    model: str | os.PathLike[str] | None = None,
    *,
    fps: float | None = None,
    up: str | None = None,
) -> Clip:
    """A clip of SMPL, SMPL-H or SMPL-X parameters, such as AMASS has them.

    source: an `.npz` with `poses` (T, 3 J), axis times radians, of 22, 24, 52 or 55 joints, or `root_orient`,
    `pose_body` and so on; `trans` (T, 3), metres; `betas`; and `mocap_framerate`.
    model: your own model file, an `.npz` with `v_template`, `shapedirs` and `J_regressor`, which says how long bones
    are; its licence keeps us from having one. Without it they are those of people in the mean, with a warning.
    fps: where the file does not say it. up: "y" or "z", the axis up of the file's world; "z" where the file has
    AMASS's frame rate, else "y".

    The clip is in metres with Y up, in the models' zero pose, with their joints. Raises OSError where a file cannot be
    read, and ValueError, naming the key, where it lacks something. Pickled objects are never loaded.
    """
    if up not in (None, "y", "z"):
        raise ValueError(f"up is {up!r}; there are 'y' and 'z'")
    return _load(source, None, None, fps, up, model)


def _turned(clip: Clip, turn: NDArray[np.float64]) -> Clip:
    """The clip in a world that is turned."""
    matrices = np.array(clip.rotations("matrix"))
    matrices[:, 0] = turn @ matrices[:, 0]
    return from_rotations(matrices, clip.root() @ turn.T, like=clip, form="matrix")


def _kinds(clip: Clip) -> list[int]:
    return [count for count, names in _NAMES.items() if sorted(names) == sorted(clip.names)]


def is_smpl(clip: Clip) -> bool:
    """Whether the clip's skeleton is one of SMPL, SMPL-H and SMPL-X."""
    return bool(_kinds(clip))


def save_smpl(
    clip: Clip,
    path: str | os.PathLike[str],
    *,
    betas: ArrayLike | None = None,
    gender: str = "neutral",
    up: str = "z",
) -> None:
    """Writes a clip on an SMPL, SMPL-H or SMPL-X skeleton as an `.npz` with the keys of AMASS.

    `poses` (T, 3 J), axis times radians; `trans` (T, 3), metres; `betas`, those that the skeleton was made with;
    `gender`; `mocap_framerate`. up: the axis up of the written world. The clip is one that `from_smpl` gave, or a result
    of `retarget(…, rt.Rig(from_smpl(…)))`. Raises ValueError for any other skeleton. An input is never written over.
    """
    kinds = _kinds(clip)
    if not kinds:
        raise ValueError(
            f"{path}: the clip's skeleton is none of SMPL, SMPL-H and SMPL-X; carry it onto one first: "
            "rt.retarget(clip, rt.Rig(rt.from_smpl(...)))"
        )
    if up not in ("y", "z"):
        raise ValueError(f"up is {up!r}; there are 'y' and 'z'")
    if os.path.exists(path) and os.path.exists(clip.path) and os.path.samefile(path, clip.path):
        raise ValueError(f"{path} is also an input; an input is never overwritten, so name another file")
    pelvis = clip.offsets[0]
    if up == "z":
        clip = _turned(clip, _Y_UP.T)
    poses = clip.rotations("axis_angle", names=_NAMES[kinds[0]])
    target = os.fspath(path)
    unfinished = f"{target}.part"
    with open(unfinished, "xb") as file:
        try:
            np.savez(
                file,
                poses=poses.reshape(len(clip), -1),
                trans=clip.root() - pelvis,
                betas=np.zeros(16) if betas is None else np.asarray(betas, dtype=np.float64),
                gender=gender,
                mocap_framerate=clip.fps,
            )
            file.flush()
            os.replace(unfinished, target)
        except BaseException:
            os.unlink(unfinished)
            raise
