"""Clips of positions alone, held against the clips that the positions are of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import HERO, WALK, characters_dir, mocap_clips

import retarget as rt

Array = np.ndarray[Any, Any]


def angle(a: Array, b: Array) -> Array:
    """Degrees."""
    across = np.linalg.norm(np.cross(a, b), axis=-1)
    return np.asarray(np.degrees(np.arctan2(across, np.sum(a * b, axis=-1))))


def bones(clip: rt.Clip, positions: Array) -> Array:
    """All bones that have a length, (T, B, 3)."""
    parents = np.array(clip.parents)
    ways = (positions - positions[:, parents])[:, parents >= 0]
    lengths = np.median(np.linalg.norm(ways, axis=-1), axis=0)
    return np.asarray(ways[:, lengths > 1e-3 * lengths.sum()])


def product(a: Array, b: Array) -> Array:
    """Quaternions, xyzw."""
    x, y, z, w = np.moveaxis(a, -1, 0)[..., None]
    v, imag = np.concatenate([x, y, z], axis=-1), b[..., :3]
    return np.concatenate(
        [w * imag + b[..., 3:] * v + np.cross(v, imag), w * b[..., 3:] - np.sum(v * imag, axis=-1, keepdims=True)], axis=-1
    )


def roll_apart(ours: Array, theirs: Array, along: Array) -> Array:
    """By how much one rotation is rolled about the bone against another but for a constant, degrees."""
    back = np.array([-1.0, -1.0, -1.0, 1.0])
    between = product(ours * back, theirs)
    between *= np.where(between[:, [np.abs(between).mean(0).argmax()]] < 0.0, -1.0, 1.0)
    constant = np.median(between, axis=0)
    constant /= np.linalg.norm(constant)
    apart = product(product(ours, np.broadcast_to(constant, ours.shape)), theirs * back)
    axis = along / np.linalg.norm(along, axis=-1, keepdims=True)
    roll = np.degrees(2.0 * np.arctan2(np.sum(apart[:, :3] * axis, axis=-1), apart[:, 3]))
    return np.asarray(np.abs((roll + 180.0) % 360.0 - 180.0))


def real_bodies() -> Iterator[tuple[Path, rt.Clip, Array, rt.Clip]]:
    """The real clips that have a body and ten frames, their positions, and what these alone make."""
    for path in mocap_clips():
        try:
            clip = rt.load(path)[:1000]
            rt.Rig(clip)
        except ValueError:
            continue
        if len(clip) >= 10:
            positions = clip.positions()
            yield path, clip, positions, rt.from_positions(
                positions, names=clip.names, parents=clip.parents, fps=clip.fps
            )


def test_directions_of_real_clips_come_back() -> None:
    worst: dict[str, float] = {}
    for path, clip, positions, made in real_bodies():
        assert made.names == clip.names and made.parents == clip.parents
        apart = angle(bones(clip, positions), bones(clip, made.positions()))
        worst[path.name] = float(np.percentile(apart, 99))
    assert len(worst) > 30
    assert max(worst.values()) <= 0.5, sorted(worst.items(), key=lambda item: -item[1])[:5]


def test_limbs_that_bend_as_hinges_are_rolled_as_they_were() -> None:
    clip = rt.load(WALK)
    positions = clip.positions()
    made = rt.from_positions(positions, names=clip.names, parents=clip.parents, fps=clip.fps)
    ours, theirs = made.rotations(space="world"), clip.rotations(space="world")
    roles, seen = rt.Rig(clip).roles, 0
    for side in ("left", "right"):
        for limb in (("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand")):
            top, middle, end = (clip.names.index(roles[f"{side}_{part}"]) for part in limb)
            upper, lower = positions[:, middle] - positions[:, top], positions[:, end] - positions[:, middle]
            bent = angle(upper, lower) > 20.0
            if not bent.any():
                continue
            seen += 1
            for joint, along in ((top, upper), (middle, lower)):
                apart = roll_apart(ours[bent, joint], theirs[bent, joint], along[bent])
                assert np.percentile(apart, 95) <= 5.0, (side, limb, np.percentile(apart, [50, 95, 100]))
    assert seen >= 2


def limbs(clip: rt.Clip) -> list[tuple[int, int, int]]:
    """The joints of thigh, shin and foot, and of upper arm, forearm and hand."""
    roles = rt.Rig(clip).roles
    parts = [("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand")]
    named = [[f"{side}_{part}" for part in limb] for side in ("left", "right") for limb in parts]
    places = [[clip.names.index(roles[role]) for role in limb] for limb in named if roles.keys() >= set(limb)]
    return [(top, middle, end) for top, middle, end in places]


def plane_apart(theirs: Array, along: Array, across: Array) -> Array:
    """By how much a joint is rolled about its bone against the plane that is square to `across` but for a constant, degrees."""
    back = theirs * np.array([-1.0, -1.0, -1.0, 1.0])

    def own(vectors: Array) -> Array:
        x, y = np.cross(back[:, :3], vectors), vectors
        return np.asarray(y + 2.0 * (back[:, 3:] * x + np.cross(back[:, :3], x)))

    bone = np.median(own(along / np.linalg.norm(along, axis=-1, keepdims=True)), axis=0)
    side = own(across / np.linalg.norm(across, axis=-1, keepdims=True))
    middle = np.median(side, axis=0)
    middle -= (middle @ bone) / (bone @ bone) * bone
    # A knee that is bent beyond straight bends in the same plane.
    roll = np.degrees(np.arctan2(side @ np.cross(bone, middle) / np.linalg.norm(bone), side @ middle))
    roll = (roll + 90.0) % 180.0 - 90.0
    return np.asarray(np.abs(roll - np.median(roll)))


def test_rolls_of_real_limbs_are_those_of_the_planes_in_which_they_bend() -> None:
    seen = 0
    for path, clip, positions, made in real_bodies():
        ours, theirs = made.rotations(space="world"), clip.rotations(space="world")
        for top, middle, end in limbs(clip):
            upper, lower = positions[:, middle] - positions[:, top], positions[:, end] - positions[:, middle]
            bent = angle(upper, lower) > 20.0
            if not bent.any():
                continue
            across = np.cross(upper, lower)[bent]
            for joint, along in ((top, upper[bent]), (middle, lower[bent])):
                apart = np.percentile(roll_apart(ours[bent, joint], theirs[bent, joint], along), 95)
                least = np.percentile(plane_apart(theirs[bent, joint], along, across), 95)
                assert apart <= least + 1.0, (path, clip.names[joint], apart, least)
                seen += 1
    assert seen > 250, seen


def test_the_spine_shares_the_twist_from_hips_to_chest() -> None:
    clip = rt.load(WALK)
    roles = rt.Rig(clip).roles
    spine = [clip.names.index(roles[role]) for role in sorted(role for role in roles if role.startswith("spine."))]
    assert len(spine) >= 3
    lengths = np.cumsum(np.linalg.norm(clip.offsets[spine], axis=1))
    shares = np.diff(lengths / lengths[-1], prepend=0.0)
    # A body that stands and twists: each joint of the spine by the share of its own place on the way to the chest.
    rotations = np.zeros((120, len(clip.names), 4))
    rotations[..., 3] = 1.0
    half = 0.4 * np.sin(np.arange(120) * 0.1)
    for joint, share in zip(spine, shares):
        rotations[:, joint, 1], rotations[:, joint, 3] = np.sin(half * share), np.cos(half * share)
    twisted = rt.from_rotations(rotations, np.broadcast_to(clip.root()[0], (120, 3)), like=clip)
    made = rt.from_positions(twisted.positions(), names=clip.names, parents=clip.parents, fps=60)
    ours, theirs = made.rotations(space="world"), twisted.rotations(space="world")
    for joint in spine:
        apart = roll_apart(ours[:, joint], theirs[:, joint], np.broadcast_to([0.0, 1.0, 0.0], (120, 3)))
        assert apart.max() < 1.0, (clip.names[joint], apart.max())


@pytest.mark.parametrize("up", ["y", "z", "-y"])
def test_a_turned_world_gives_the_same_result(up: str) -> None:
    clip = rt.load(WALK)
    turns: dict[str, list[list[int]]] = {
        "y": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "z": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
        "-y": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
    }
    turn = np.array(turns[up], dtype=float)
    positions = clip.positions() @ turn.T
    made = rt.from_positions(positions, names=clip.names, parents=clip.parents, fps=60)
    assert rt.Rig(made).up == up
    assert np.abs(made.positions() - positions).max() < 0.01 * rt.Rig(clip).leg_length
    result, report = rt.retarget(made, HERO)
    assert report["plant_drift_cm"] < 0.1 and report["wrong_way_deg"] < 20.0


SMPL_FROM = {
    "Pelvis": "hips", "Left_hip": "left_thigh", "Right_hip": "right_thigh", "Left_knee": "left_shin",
    "Right_knee": "right_shin", "Left_ankle": "left_foot", "Right_ankle": "right_foot", "Left_foot": "left_toe",
    "Right_foot": "right_toe", "Left_collar": "left_clavicle", "Right_collar": "right_clavicle",
    "Left_shoulder": "left_upper_arm", "Right_shoulder": "right_upper_arm", "Left_elbow": "left_forearm",
    "Right_elbow": "right_forearm", "Left_wrist": "left_hand", "Right_wrist": "right_hand", "Head": "head",
    "Neck": "neck.1", "Spine1": "spine.1",
}  # fmt: skip
HUMANML3D = (
    "Pelvis Left_hip Right_hip Spine1 Left_knee Right_knee Spine2 Left_ankle Right_ankle Spine3 Left_foot Right_foot "
    "Neck Left_collar Right_collar Head Left_shoulder Right_shoulder Left_elbow Right_elbow Left_wrist Right_wrist"
).split()


def humanml3d(clip: rt.Clip) -> Array:
    """(T, 22, 3) of a clip, as a text-to-motion model would give it."""
    roles = rt.Rig(clip).roles
    spine = [roles[role] for role in sorted(role for role in roles if role.startswith("spine."))]
    middle, top = spine[len(spine) // 2], spine[-1]
    names = {**{ours: roles[role] for ours, role in SMPL_FROM.items()}, "Spine2": middle, "Spine3": top}
    return np.asarray(clip.positions("float32", names=[names[name] for name in HUMANML3D]))


@pytest.mark.parametrize("target", [HERO, "glb/human_male.glb"])
def test_feet_hold_as_from_the_clip_itself(target: str | Path) -> None:
    rig = rt.Rig(target if target == HERO else characters_dir() / target)
    clips = [WALK, *(path for path in mocap_clips() if path.parent.name in ("lafan1", "bandai_namco"))]
    seen = 0
    for path in clips:
        clip = rt.load(path)[:1000]
        try:
            points = humanml3d(clip)
        except KeyError:
            continue
        made = rt.from_positions(points, skeleton="humanml3d", fps=clip.fps)
        (_, direct), (_, through) = rt.retarget(clip, rig), rt.retarget(made, rig)
        for name, most in (("plant_drift_cm", 0.1), ("skate_cm_s", 0.2), ("penetration_cm", 0.2)):
            assert through[name] <= direct[name] + most, (path, name, direct[name], through[name])
        assert through["wrong_way_deg"] < 20.0
        seen += 1
    assert seen >= 4


@pytest.mark.parametrize(
    "layout, points", [("smpl", 24), ("coco17", 17), ("h36m17", 17), ("mediapipe33", 33), ("kinect25", 25)]
)
def test_every_layout_is_a_body_that_can_be_carried_over(layout: str, points: int) -> None:
    clip = rt.load(WALK)
    body = dict(zip(HUMANML3D, np.moveaxis(humanml3d(clip), 1, 0)))
    sides = [("Left", "Right"), ("Right", "Left")]
    toe = {side: body[f"{side}_foot"] for side, _ in sides}
    head, neck = body["Head"], body["Neck"]
    across = (body["Left_shoulder"] - body["Right_shoulder"]) * 0.2
    ahead = np.cross(across, [0.0, 1.0, 0.0])
    face = {"nose": head + ahead, "left_ear": head + across, "right_ear": head - across}
    arms = [body[f"{side}_{part}"] for part in ("shoulder", "elbow", "wrist") for side in ("Left", "Right")]
    legs = [body[f"{side}_{part}"] for part in ("hip", "knee", "ankle") for side in ("Left", "Right")]
    hand = {side: 1.2 * body[f"{side}_wrist"] - 0.2 * body[f"{side}_elbow"] for side in ("Left", "Right")}
    thumb = {side: hand[side] + 0.3 * ahead for side in ("Left", "Right")}
    left, right = (
        [body[f"{side}_{part}"] for part in ("shoulder", "elbow", "wrist")] for side in ("Left", "Right")
    )
    left_leg, right_leg = ([body[f"{side}_{part}"] for part in ("hip", "knee", "ankle")] for side in ("Left", "Right"))
    made = {
        "smpl": [*(body[name] for name in HUMANML3D), hand["Left"], hand["Right"]],
        "coco17": [face["nose"], head, head, face["left_ear"], face["right_ear"], *arms, *legs],
        "h36m17": [body["Pelvis"], *right_leg, *left_leg, body["Spine2"], neck, 0.5 * (neck + head), head, *left, *right],
        "mediapipe33": [
            face["nose"], *[head] * 6, face["left_ear"], face["right_ear"], head, head, *arms,
            hand["Left"], hand["Right"], hand["Left"], hand["Right"], thumb["Left"], thumb["Right"], *legs,
            *legs[-2:], toe["Left"], toe["Right"],
        ],
        "kinect25": [
            body["Pelvis"], body["Spine2"], neck, head, *left, hand["Left"], *right, hand["Right"],
            *left_leg, toe["Left"], *right_leg, toe["Right"], 0.5 * (body["Left_shoulder"] + body["Right_shoulder"]),
            hand["Left"], thumb["Left"], hand["Right"], thumb["Right"],
        ],
    }  # fmt: skip
    stacked = np.stack(made[layout], axis=1)
    assert stacked.shape == (len(clip), points, 3)
    tracked = rt.from_positions(stacked, skeleton=layout, fps=60)
    result, report = rt.retarget(tracked, HERO)
    assert len(result) == len(clip)
    assert report["wrong_way_deg"] < 20.0 and report["plant_drift_cm"] < 0.5, report
    with pytest.raises(ValueError, match=rf"expected \(T, P = {points}, 3\)"):
        rt.from_positions(stacked[:, 1:], skeleton=layout, fps=60)


def test_noise_is_told_and_bones_keep_their_median_lengths() -> None:
    clip = rt.load(WALK)
    rng = np.random.default_rng(1)
    noisy = clip.positions() + rng.normal(0.0, 1.0, (len(clip), len(clip.names), 3))
    with pytest.warns(UserWarning, match="noisy"):
        made = rt.from_positions(noisy, names=clip.names, parents=clip.parents, fps=60)
    ours, theirs = (np.linalg.norm(one.offsets[1:], axis=1) for one in (made, clip))
    assert np.abs(ours - theirs).max() < 0.5
    apart = np.linalg.norm(made.positions() - clip.positions(), axis=-1)
    assert np.median(apart) < 3.0


def test_other_shapes_are_refused_with_the_line_that_turns_them() -> None:
    wanted = humanml3d(rt.load(WALK))
    for given in (
        wanted[None], wanted.transpose(1, 2, 0)[None], wanted.transpose(1, 2, 0), wanted.transpose(0, 2, 1),
        wanted.reshape(len(wanted), -1), wanted.transpose(2, 0, 1), wanted.transpose(1, 0, 2),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="positions has the shape") as refused:
            rt.from_positions(given, skeleton="humanml3d", fps=60)
        line = str(refused.value).rsplit(" as ", 1)[-1].rsplit(" save ", 1)[-1]
        assert np.array_equal(eval(line, {"points": given}), wanted), line


def test_positions_are_written_alone_and_in_the_order_of_their_layout(tmp_path: Path) -> None:
    clip = rt.load(WALK)
    clip.save(tmp_path / "walk.npy")
    assert np.array_equal(np.load(tmp_path / "walk.npy"), clip.positions())
    points = humanml3d(clip)
    made = rt.from_positions(points, skeleton="humanml3d", fps=60)
    made.save(tmp_path / "points.npy")
    assert np.abs(np.load(tmp_path / "points.npy") - points).max() < 0.01 * rt.Rig(clip).leg_length
    again = rt.load(tmp_path / "points.npy", layout="humanml3d", fps=60)
    assert again.names == made.names and np.abs(again.positions() - made.positions()).max() < 1e-3


def test_what_is_not_finite_is_refused_with_frame_and_joint() -> None:
    clip = rt.load(WALK)
    positions = np.array(clip.positions())
    positions[12, 4, 0] = np.nan
    with pytest.raises(ValueError, match=f"frame 12, joint \"{clip.names[4]}\""):
        rt.from_positions(positions, names=clip.names, parents=clip.parents, fps=60)
    with pytest.raises(ValueError, match="humanml3d"):
        rt.from_positions(positions, skeleton="openpose", fps=60)
