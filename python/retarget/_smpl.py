"""SMPL, SMPL-H, SMPL-X and AMASS: `.npz` files of body parameters to clips and back."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._retarget import Clip, from_rotations

_BODY = (
    "Pelvis Left_hip Right_hip Spine1 Left_knee Right_knee Spine2 Left_ankle Right_ankle Spine3 Left_foot Right_foot "
    "Neck Left_collar Right_collar Head Left_shoulder Right_shoulder Left_elbow Right_elbow Left_wrist Right_wrist"
).split()
_BODY_PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]
_FINGERS = ("index", "middle", "pinky", "ring", "thumb")
_HANDS = [f"{side}_{finger}{n}" for side in ("Left", "Right") for finger in _FINGERS for n in (1, 2, 3)]

_NAMES = {
    24: [*_BODY, "Left_palm", "Right_palm"],
    52: [*_BODY, *_HANDS],
    55: [*_BODY, "Jaw", "Left_eye", "Right_eye", *_HANDS],
}
"""The joints by their number: of SMPL, SMPL-H and SMPL-X, in the models' order."""

_MODELS = {24: "SMPL", 52: "SMPL-H", 55: "SMPL-X"}

# A tall person's segments as shares of the height, after Winter, Biomechanics and Motor Control of Human Movement
# (2009), figure 4.1, laid out with the arms to the sides: X to the left, Y up, Z forward, from the pelvis.
_HEIGHT_M = 1.7
_PROPORTIONS = {
    "Pelvis": (0.0, 0.0, 0.0),
    "hip": (0.05, -0.03, 0.0),
    "knee": (0.05, -0.275, 0.0),
    "ankle": (0.05, -0.521, 0.0),
    "foot": (0.05, -0.55, 0.085),
    "Spine1": (0.0, 0.06, 0.0),
    "Spine2": (0.0, 0.14, 0.0),
    "Spine3": (0.0, 0.18, 0.0),
    "Neck": (0.0, 0.28, 0.0),
    "collar": (0.04, 0.24, 0.0),
    "Head": (0.0, 0.33, 0.02),
    "shoulder": (0.11, 0.258, 0.0),
    "elbow": (0.296, 0.258, 0.0),
    "wrist": (0.442, 0.258, 0.0),
    "palm": (0.49, 0.258, 0.0),
    "Jaw": (0.0, 0.33, 0.03),
    "eye": (0.02, 0.37, 0.05),
    "index": (0.50, 0.258, 0.015),
    "middle": (0.505, 0.258, 0.0),
    "ring": (0.50, 0.258, -0.012),
    "pinky": (0.49, 0.258, -0.025),
    "thumb": (0.46, 0.25, 0.02),
}
_PHALANX = 0.017
# From a world with Z up to one with Y up.
_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def _parents(count: int) -> list[int]:
    names = _NAMES[count]
    parents = list(_BODY_PARENTS)
    for name in names[len(_BODY) :]:
        side, _, part = name.partition("_")
        if name in ("Jaw", "Left_eye", "Right_eye"):
            parents.append(names.index("Head"))
        elif part == "palm" or part.endswith("1"):
            parents.append(names.index(f"{side}_wrist"))
        else:
            parents.append(names.index(f"{side}_{part[:-1]}{int(part[-1]) - 1}"))
    return parents


def _people(count: int) -> NDArray[np.float64]:
    """Joints of a person in the mean at rest, metres."""

    def place(name: str) -> NDArray[np.float64]:
        side, _, part = name.partition("_")
        sign = {"Left": 1.0, "Right": -1.0}.get(side, 1.0)
        key, along = (part or name), 0.0
        if key[-1].isdigit() and key[:-1] in _FINGERS:
            key, along = key[:-1], _PHALANX * (int(key[-1]) - 1)
        x, y, z = _PROPORTIONS[key]
        return _HEIGHT_M * np.array([sign * (x + along), y, z])

    return np.array([place(name) for name in _NAMES[count]])


def _array(file: Any, key: str, path: object) -> NDArray[np.float64]:
    try:
        return np.asarray(file[key], dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{path}: {key!r} is no array of numbers but a pickled object, which is never loaded; save it as a plain array"
        ) from error


def _poses(file: Any, path: object) -> NDArray[np.float64]:
    """(T, J, 3) of what the file has, whole or in parts."""
    if "poses" in file:
        poses = _array(file, "poses", path)
    elif "root_orient" in file and "pose_body" in file:
        keys = ["root_orient", "pose_body", "pose_jaw", "pose_eye", "pose_hand"]
        found = [_array(file, key, path) for key in keys if key in file]
        poses = np.concatenate([part.reshape(len(part), -1) for part in found], axis=1)
    else:
        raise ValueError(f"{path}: it has neither 'poses' nor 'root_orient' and 'pose_body'; it has {', '.join(file)}")
    poses = poses.reshape(len(poses), -1)
    count = poses.shape[1] // 3
    if count == 22:
        poses, count = np.pad(poses, [(0, 0), (0, 6)]), 24
    if poses.shape[1] != 3 * count or count not in _NAMES:
        known = ", ".join(f"{3 * joints} ({model})" for joints, model in _MODELS.items())
        raise ValueError(f"{path}: a pose has {poses.shape[1]} numbers; there are {known} and 66 (the body alone)")
    return poses.reshape(len(poses), count, 3)


def _rest(model: str | os.PathLike[str], count: int, betas: NDArray[np.float64]) -> NDArray[np.float64]:
    """The joints of a model at rest in this shape, metres."""
    with np.load(model) as file:
        lacking = [key for key in ("v_template", "shapedirs", "J_regressor") if key not in file]
        if lacking:
            raise ValueError(f"{model}: it is no body model, since it lacks {', '.join(lacking)}")
        template, shapes, regressor = (
            _array(file, key, model) for key in ("v_template", "shapedirs", "J_regressor")
        )
    joints = len(regressor)
    if joints not in _NAMES:
        raise ValueError(f"{model}: it has {joints} joints; there are models of {', '.join(map(str, _NAMES))}")
    if joints != count:
        warnings.warn(
            f"{model} is {_MODELS[joints]}, and the poses are of {_MODELS[count]}, whose betas mean another shape: the "
            "model's mean shape is taken",
            stacklevel=3,
        )
        betas = betas[:0]
    used = min(len(betas), shapes.shape[-1])
    rest = regressor @ (template + shapes[..., :used] @ betas[:used])
    if joints == count:
        return np.asarray(rest)
    own, people = _NAMES[joints], _people(count)
    of_model = {name: rest[own.index(name)] for name in own}
    return np.array([of_model.get(name, people[i] + rest[0]) for i, name in enumerate(_NAMES[count])])


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
    with np.load(source) as file:
        poses = _poses(file, source)
        trans = _array(file, "trans", source) if "trans" in file else np.zeros((len(poses), 3))
        betas = _array(file, "betas", source).ravel() if "betas" in file else np.zeros(0)
        rates = [key for key in ("mocap_framerate", "mocap_frame_rate", "fps") if key in file]
        rate = float(_array(file, rates[0], source)) if rates else None
    fps = fps if fps is not None else rate
    if fps is None:
        raise ValueError(f"{source}: it does not say how many frames a second it has; give fps")
    if up not in (None, "y", "z"):
        raise ValueError(f"up is {up!r}; there are 'y' and 'z'")
    count = poses.shape[1]
    if model is None:
        warnings.warn("without a model file the bones are as long as people's are in the mean; give model=", stacklevel=2)
        rest = _people(count)
    else:
        rest = _rest(model, count, betas)
    parents = _parents(count)
    offsets = rest - np.where(np.array(parents)[:, None] < 0, 0.0, rest[parents])
    names, root = _NAMES[count], trans + rest[0]
    make = {"names": names, "parents": parents, "offsets": offsets, "fps": fps}
    clip = from_rotations(poses, root, form="axis_angle", **make)  # type: ignore[arg-type]
    if (up or ("z" if rates and rates[0] != "fps" else "y")) == "z":
        clip = _turned(clip, _Y_UP)
    return clip


def _turned(clip: Clip, turn: NDArray[np.float64]) -> Clip:
    """The clip in a world that is turned."""
    matrices = np.array(clip.rotations("matrix"))
    matrices[:, 0] = turn @ matrices[:, 0]
    return from_rotations(matrices, clip.root() @ turn.T, like=clip, form="matrix")


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
    kinds = [count for count, names in _NAMES.items() if sorted(names) == sorted(clip.names)]
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
