"""SMPL, SMPL-H, SMPL-X and AMASS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SAMPLES, WALK, command

import retarget as rt


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


@pytest.fixture
def amass(tmp_path: Path) -> Path:
    """A walk as AMASS has it: 52 joints, Z up, metres."""
    frames = np.arange(120)
    poses = np.zeros((len(frames), 52, 3))
    poses[:, 0] = [np.pi / 2, 0.0, 0.0]
    swing = 0.5 * np.sin(frames * 0.12)
    poses[:, 1, 0], poses[:, 2, 0] = -swing, swing
    poses[:, 4, 0], poses[:, 5, 0] = 0.6 * np.abs(swing) + 0.1, 0.6 * np.abs(swing) + 0.1
    trans = np.stack([0.0 * frames, -0.012 * frames, 0.95 + 0.0 * frames], axis=1)
    path = tmp_path / "walk_poses.npz"
    np.savez(
        path, poses=poses.reshape(len(frames), -1), trans=trans, betas=np.linspace(-1.0, 1.0, 16), gender="female",
        mocap_framerate=60.0,
    )  # fmt: skip
    return path


def model(path: Path, joints: int) -> Path:
    """A model file of the same shape as the real ones: each joint has a vertex of its own, each beta a direction."""
    rng = np.random.default_rng(joints)
    with pytest.warns(UserWarning, match="mean"):
        np.savez(path.with_name("one.npz"), poses=np.zeros((1, 3 * joints)), trans=np.zeros((1, 3)), mocap_framerate=1)
        body = rt.from_smpl(path.with_name("one.npz"), up="y")
    rest = body.positions(names=_NAMES[joints])[0] + [0.0, -0.2, 0.03]
    shapes = rng.normal(0.0, 0.01, (joints, 3, 10))
    np.savez(path, v_template=rest, shapedirs=shapes, J_regressor=np.eye(joints))
    return path


def test_a_model_says_how_long_bones_are(amass: Path, tmp_path: Path) -> None:
    body = model(tmp_path / "SMPLH_NEUTRAL.npz", 52)
    clip = rt.from_smpl(amass, model=body)
    assert len(clip.names) == 52 and clip.fps == pytest.approx(60.0) and rt.Rig(clip).up == "y"
    with np.load(body) as file, np.load(amass) as given:
        rest = file["v_template"] + file["shapedirs"] @ given["betas"][:10]
        parents = {name: clip.names[parent] for name, parent in zip(clip.names, clip.parents)}
        wanted = np.linalg.norm(rest - rest[[_NAMES[52].index(parents[name]) for name in _NAMES[52]]], axis=1)
        # The pelvis of SMPL is at its place at rest, and the body's way beside it: here in a world with Y up.
        root = (rest[0] + given["trans"]) @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    bones = dict(zip(clip.names, np.linalg.norm(clip.offsets, axis=1)))
    assert all(bones[name] == pytest.approx(wanted[i]) for i, name in enumerate(_NAMES[52]) if i)
    assert np.allclose(clip.root(), root)


def test_what_is_written_comes_back(amass: Path, tmp_path: Path) -> None:
    body = model(tmp_path / "SMPLH_NEUTRAL.npz", 52)
    clip = rt.from_smpl(amass, model=body)
    with np.load(amass) as given:
        betas = given["betas"]
        clip.save(tmp_path / "plain.npz")
        with np.load(tmp_path / "plain.npz") as plain:
            assert np.array_equal(plain["betas"], betas) and str(plain["gender"]) == "female"
        rt.save_smpl(clip, tmp_path / "back.npz", betas=betas, gender="female")
        with np.load(tmp_path / "back.npz") as back:
            assert sorted(back) == sorted(given)
            for key in ("poses", "trans", "betas", "mocap_framerate"):
                assert np.allclose(back[key], given[key], atol=1e-9), key
            assert str(back["gender"]) == "female"
    again = rt.from_smpl(tmp_path / "back.npz", model=body)
    assert np.allclose(again.positions(), clip.positions(), atol=1e-9)
    assert not list(tmp_path.glob("*.part"))


def test_a_clip_goes_onto_an_smpl_body_and_out_again(amass: Path, tmp_path: Path) -> None:
    body = model(tmp_path / "SMPLH_NEUTRAL.npz", 52)
    rig = rt.Rig(rt.from_smpl(amass, model=body))
    result, report = rt.retarget(WALK, rig)
    assert report["plant_drift_cm"] < 0.1 and report["wrong_way_deg"] < 20.0
    result.save(tmp_path / "walk.npz")
    with np.load(tmp_path / "walk.npz") as file:
        assert file["poses"].shape == (281, 156) and file["trans"].shape == (281, 3)
    with np.load(tmp_path / "walk.npz") as file, np.load(amass) as given:
        assert np.array_equal(file["betas"], given["betas"]) and file["contacts"].shape[0] == 281
    # The command line writes the same bytes, and so does a file with the rig in it.
    args = ["--to", amass, "--smpl-model", body, "-o", tmp_path / "named.npz"]
    assert command(WALK, *args).returncode == 0
    assert (tmp_path / "named.npz").read_bytes() == (tmp_path / "walk.npz").read_bytes() == result.to_bytes(".npz")
    (done,) = rt.retarget_many([WALK], rig, output=tmp_path / "many", format="npz", progress=False)
    assert done.output and done.output.read_bytes() == (tmp_path / "walk.npz").read_bytes()
    with pytest.raises(ValueError, match="retarget it onto one first"):
        rt.save_smpl(rt.load(WALK), tmp_path / "wrong.npz")


def test_a_library_of_amass_is_read_with_the_model(amass: Path, tmp_path: Path) -> None:
    body = model(tmp_path / "SMPLH_NEUTRAL.npz", 52)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "walk_poses.npz").write_bytes(amass.read_bytes())
    hero = SAMPLES / "skeletons" / "hero.toml"
    (plain,) = rt.retarget_many(tmp_path / "lib", hero, progress=False)
    (known,) = rt.retarget_many(tmp_path / "lib", hero, progress=False, model=body)
    assert plain.ok and known.ok and known.notes == []
    assert len(plain.notes) == 1 and "give model=" in plain.notes[0]
    result, _ = rt.retarget(rt.from_smpl(amass, model=body), hero)
    assert known.clip and np.array_equal(known.clip.rotations(), result.rotations())


@pytest.mark.filterwarnings("ignore:.*give model=")
def test_parts_of_poses_are_read_under_both_names(amass: Path, tmp_path: Path) -> None:
    with np.load(amass) as given:
        poses, rest = given["poses"], {"fps": 60, "betas": given["betas"]}
        trans = given["trans"]
    np.savez(tmp_path / "whole.npz", poses=poses, trans=trans, **rest)
    own = {"root_orient": poses[:, :3], "pose_body": poses[:, 3:66], "pose_hand": poses[:, 66:], "trans": trans}
    smplx = {
        "global_orient": poses[:, :3], "body_pose": poses[:, 3:66].reshape(-1, 21, 3), "left_hand_pose": poses[:, 66:111],
        "right_hand_pose": poses[:, 111:], "transl": trans,
    }  # fmt: skip
    wanted = rt.load(tmp_path / "whole.npz")
    for parts in (own, smplx):
        np.savez(tmp_path / "parts.npz", **parts, **rest)
        clip = rt.load(tmp_path / "parts.npz")
        assert np.array_equal(clip.rotations(), wanted.rotations()) and np.array_equal(clip.root(), wanted.root())


@pytest.mark.parametrize("joints", [22, 24, 52, 55])
def test_without_a_model_bones_are_peoples_with_a_warning(joints: int, tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", poses=np.zeros((3, 3 * joints)), trans=np.zeros((3, 3)), mocap_framerate=30)
    with pytest.warns(UserWarning, match="give model="):
        clip = rt.load(tmp_path / "a.npz")
    assert len(clip.names) == max(joints, 24)
    assert 0.75 < rt.Rig(clip).leg_length < 0.95
    roles = rt.Rig(clip).roles
    assert roles["left_foot"] == "Left_ankle" and roles["right_hand"] == "Right_wrist"


def test_what_lacks_something_is_told(tmp_path: Path) -> None:
    def saved(**arrays: Any) -> Path:
        np.savez(tmp_path / "wrong.npz", **arrays)
        return tmp_path / "wrong.npz"

    with pytest.raises(ValueError, match="nor poses"):
        rt.from_smpl(saved(trans=np.zeros((3, 3)), betas=np.zeros(3)))
    with pytest.raises(ValueError, match="numbers"):
        rt.from_smpl(saved(poses=np.zeros((3, 100)), mocap_framerate=30))
    with pytest.raises(ValueError, match=r"these are matrices: save .*as_rotvec\(\)"):
        rt.from_smpl(saved(poses=np.tile(np.eye(3), (3, 24, 1, 1)), mocap_framerate=30))
    with pytest.raises(ValueError, match="6D rotations"):
        rt.from_smpl(saved(poses=np.zeros((3, 52, 6)), mocap_framerate=30))
    with pytest.raises(ValueError, match="a pose has 63 numbers"):
        rt.from_smpl(saved(body_pose=np.zeros((3, 63)), mocap_framerate=30))
    with pytest.raises(ValueError, match="fps"):
        rt.from_smpl(saved(poses=np.zeros((3, 72))))
    with pytest.raises(ValueError, match="pickled"):
        rt.from_smpl(saved(poses=np.array([{}]), mocap_framerate=30))
    with pytest.raises(FileNotFoundError):
        rt.from_smpl(tmp_path / "missing.npz")
