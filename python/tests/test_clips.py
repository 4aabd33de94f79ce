"""Clips: cut, resampled, mirrored, retargeted, saved."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from conftest import HERO, SAMPLES, WALK, characters_dir, command, mocap_clips

import retarget as rt


def test_results_are_the_command_lines_to_the_last_byte(tmp_path: Path) -> None:
    clips = [path for path in mocap_clips() if path.stat().st_size < 2_000_000]
    assert len(clips) > 30
    rig, done = rt.Rig(HERO), 0
    folder = tmp_path / "clips"
    for number, path in enumerate(clips):
        (folder / f"{number}").mkdir(parents=True)
        (folder / f"{number}" / path.name).symlink_to(path)
    # With it each clip is read by itself, as it is here.
    (tmp_path / "nothing.toml").write_text("")
    ran = command(folder, "--to", HERO, "-o", tmp_path / "out", "--from", tmp_path / "nothing.toml", "-q")
    assert ran.returncode in (0, 1), ran.stderr
    for number, path in enumerate(clips):
        by_command = tmp_path / "out" / f"{number}" / path.name
        try:
            result, _ = rt.retarget(path, rig)
        except ValueError:
            assert not by_command.exists(), path
            continue
        assert result.to_bytes() == by_command.read_bytes(), path
        done += 1
    assert done > 25
    many = rt.retarget_many(folder, rig, output=tmp_path / "many", workers=2)
    assert len(many) == len(clips) and sum(entry.ok for entry in many) == done
    for entry in many:
        if entry.output is not None:
            by_command = tmp_path / "out" / entry.output.relative_to(tmp_path / "many")
            assert entry.output.read_bytes() == by_command.read_bytes()


def test_options_are_the_command_lines(tmp_path: Path) -> None:
    for number, (ours, theirs) in enumerate(
        [
            ({"foot_plants": "off"}, ["--foot-plants", "off"]),
            ({"scale": "height"}, ["--scale", "height"]),
            ({"scale": 0.7}, ["--scale", "0.7"]),
            ({"in_place": True}, ["--in-place"]),
        ]
    ):
        result, _ = rt.retarget(WALK, HERO, **ours)  # type: ignore[arg-type]
        output = tmp_path / f"{number}.bvh"
        ran = command(WALK, "--to", HERO, "-o", output, *theirs)
        assert ran.returncode == 0, ran.stderr
        assert result.to_bytes() == output.read_bytes(), ours


def test_a_report_says_each_number_and_where_it_is_worst() -> None:
    result, report = rt.retarget(WALK, HERO)
    assert report.names and set(report.to_dict()) == set(report.names)
    for name in report.names:
        worst = report.worst(name)
        assert worst.value == report[name]
        assert worst.joint in ["", *result.names] and 0 <= worst.frame < len(result)
    assert report.worst("skate_cm_s").value < 0.1
    with pytest.raises(KeyError, match="skate_cm_s"):
        report.worst("skating")
    assert "skate_cm_s" in repr(report) and "<table>" in report._repr_html_()


def test_contacts_are_those_that_the_side_file_says(tmp_path: Path) -> None:
    result, _ = rt.retarget(WALK, HERO)
    contacts = result.contacts()
    masks = contacts.masks()
    assert masks.shape == (len(result), len(contacts.parts)) and 0 < masks.sum() < masks.size
    assert np.array_equal(contacts.mask("left_ball"), masks[:, contacts.parts.index("left_ball")])
    ball = [interval for interval in contacts if interval.part == "left_ball"]  # type: ignore[attr-defined]
    assert all(masks[interval.start : interval.end, contacts.parts.index("left_ball")].all() for interval in ball)
    side, by_command = tmp_path / "walk.toml", tmp_path / "by_command.toml"
    contacts.save(side)
    command(WALK, "--to", HERO, "-o", tmp_path / "out.bvh", "--contacts", by_command)
    assert side.read_text() == by_command.read_text()
    again, _ = rt.retarget(WALK, HERO, contacts=side)
    assert again.to_bytes() == result.to_bytes()


def test_cut_clips_are_their_frames() -> None:
    clip = rt.load(WALK)
    part = clip[10:200]
    assert len(part) == 190 and part.fps == clip.fps
    assert np.array_equal(part.rotations(), clip.rotations()[10:200])
    assert np.array_equal(part.root(), clip.root()[10:200])
    assert np.array_equal(clip[-5:].root(), clip.root()[-5:])
    half = clip[::2]
    assert np.array_equal(half.root(), clip.root()[::2]) and half.fps == pytest.approx(clip.fps / 2)
    assert len(clip[5:5]) == 0
    with pytest.raises(TypeError, match=r"clip\[10:11\]"):
        clip[3]  # type: ignore[index]
    with pytest.raises(ValueError, match="backwards"):
        clip[::-1]


def test_resampled_clips_last_as_long_and_go_the_same_way() -> None:
    clip = rt.load(WALK)
    for fps in (24, 30, 59.9988, 90, 240):
        other = clip.resample(fps)
        assert other.fps == pytest.approx(fps)
        assert (len(other) - 1) / fps == pytest.approx((len(clip) - 1) / clip.fps, abs=1.0 / fps)
        back = np.interp(np.arange(len(other)) / fps, np.arange(len(clip)) / clip.fps, clip.root()[:, 0])
        assert np.abs(back - other.root()[:, 0]).max() < 1e-3
    twice = clip.resample(clip.fps * 2).root()[::2]
    assert np.array_equal(twice, clip.root())


def test_a_mirrored_clip_is_its_mirror_image_and_comes_back() -> None:
    clips = [WALK, SAMPLES / "kneel.bvh", *mocap_clips()]
    seen = 0
    for path in clips:
        try:
            clip = rt.load(path)[:300]
            mirrored = clip.mirror()
        except ValueError:
            continue
        back = mirrored.mirror().positions()
        size = np.linalg.norm(clip.offsets[1:], axis=1).sum()
        assert np.abs(back - clip.positions()).max() < 1e-6 * size, path
        seen += 1
    assert seen > 40
    # The samples' body is the same on both sides.
    clip = rt.load(WALK)
    names = [name.replace("Left", "?").replace("Right", "Left").replace("?", "Right") for name in clip.names]
    image = clip.positions(names=names) * [-1.0, 1.0, 1.0]
    assert np.abs(clip.mirror().positions() - image).max() < 1e-3


def test_live_frames_follow_and_feet_stand() -> None:
    clip = rt.load(WALK)
    live = rt.Live(rt.Rig(clip), rt.Rig(HERO), fps=60)
    rotations, root = clip.rotations(), clip.root()
    frames = [live.frame(rotations[frame], root[frame]) for frame in range(len(clip))]
    wanted, _ = rt.retarget(clip, HERO)
    made = rt.from_rotations(
        np.stack([turned for turned, _ in frames]), np.stack([place for _, place in frames]), like=wanted
    )
    assert np.linalg.norm(made.positions() - wanted.positions(), axis=-1).mean() < 3.0
    assert any(any(stands) for stands in live.stands)
    live.reset()
    assert not any(any(stands) for stands in live.stands)
    single = live.frame(rotations[0].astype("float32"), list(root[0]))
    assert np.allclose(single[1], frames[0][1], atol=1e-3)


def test_a_bad_file_is_an_entry_and_costs_itself_alone(tmp_path: Path) -> None:
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT Hips\n{ nonsense")
    reported: list[int] = []
    done = rt.retarget_many(
        [WALK, broken, SAMPLES / "run.bvh", tmp_path / "missing.bvh"],
        HERO,
        workers=2,
        progress=lambda entry, count: reported.append(count),
    )
    assert [entry.ok for entry in done] == [True, False, True, False]
    assert done[0].clip is not None and done[0].report is not None
    assert done[0].clip.to_bytes() == rt.retarget(WALK, HERO)[0].to_bytes()
    assert "broken.bvh" in str(done[1].error) and "missing.bvh" in str(done[3].error)
    assert done[1].clip is None and reported == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "rig, ending",
    [(HERO, "npz"), (HERO, "npy"), (HERO, "bvh.zst"), (HERO, "glb"), ("glb/human_male.glb", "glb"), ("glb/human_male.glb", "vrma"),
     ("fbx/maya_character.fbx", "fbx")],
)  # fmt: skip
def test_many_clips_are_written_as_the_command_line_writes_them(rig: str | Path, ending: str, tmp_path: Path) -> None:
    target = characters_dir() / rig
    folder = tmp_path / "takes"
    folder.mkdir()
    for name in ("walk.bvh", "run.bvh"):
        (folder / name).symlink_to(SAMPLES / name)
    motion = {} if target == HERO else {"root_motion": "auto"}
    done = rt.retarget_many(folder, target, output=tmp_path / "ours", format=ending, workers=2, **motion)  # type: ignore[arg-type]
    # With it each clip is read by itself, as it is here.
    (tmp_path / "nothing.toml").write_text("")
    theirs = ["--from", tmp_path / "nothing.toml", *(["--root-motion", "auto"] if motion else [])]
    ran = command(folder, "--to", target, "-o", tmp_path / "theirs", "--format", ending, *theirs)
    assert ran.returncode == 0, ran.stderr
    for entry in done:
        assert entry.output is not None, entry.error
        by_command = tmp_path / "theirs" / entry.output.name
        assert entry.output.name.endswith(ending) and entry.output.read_bytes() == by_command.read_bytes()


def test_a_format_that_the_target_cannot_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="name a result that ends in"):
        rt.retarget_many([WALK], HERO, output=tmp_path, format="fbx")


def test_two_results_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="both be written"):
        rt.retarget_many([WALK, WALK], HERO, output=tmp_path)


def test_files_are_written_by_their_names_and_inputs_never(tmp_path: Path) -> None:
    clip = rt.load(WALK)
    copy = tmp_path / "copy.bvh"
    clip.save(copy)
    assert np.allclose(rt.load(copy).positions(), clip.positions(), atol=1e-4)
    for ending in (".bvh.gz", ".bvh.zst"):
        clip.save(tmp_path / f"packed{ending}")
        assert rt.load(tmp_path / f"packed{ending}").to_bytes() == clip.to_bytes()
    clip.save(tmp_path / "walk.glb")
    assert (tmp_path / "walk.glb").read_bytes()[:4] == b"glTF"
    with pytest.raises(ValueError, match="copy.bvh is also an input"):
        rt.load(copy).save(copy)
    with pytest.raises(ValueError, match=r"\.bvh"):
        clip.save(tmp_path / "walk.txt")
    with pytest.raises(OSError):
        clip.save(tmp_path / "nowhere" / "walk.bvh")


def test_a_script_that_saves_its_result_runs_a_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    clip = rt.load(WALK)
    clip.save("walk.bvh")
    for _ in range(2):
        result, _report = rt.retarget(rt.load("walk.bvh"), HERO)
        result.save("walk.hero.bvh")
    with pytest.raises(ValueError, match="is also an input"):
        result.save("walk.bvh")


def test_errors_are_pythons_own_and_name_pythons_way_out(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing.bvh"):
        rt.load(tmp_path / "missing.bvh")
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT Hips\n{ nonsense")
    with pytest.raises(ValueError, match="line 3"):
        rt.load(broken)
    cut = tmp_path / "cut.bvh"
    text = WALK.read_text()
    cut.write_text(text[: int(0.9 * len(text))])
    assert rt.load(cut).repaired
    with pytest.raises(ValueError, match="strict=True"):
        rt.retarget(cut, HERO, strict=True)
    with pytest.raises(ValueError, match="auto"):
        rt.retarget(WALK, HERO, foot_plants="on")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="path or of a Clip"):
        rt.Rig(3)  # type: ignore[arg-type]


def test_a_clip_is_read_from_bytes() -> None:
    assert rt.read(WALK.read_bytes(), "walk.bvh").to_bytes() == rt.load(WALK).to_bytes()
    with pytest.raises(ValueError, match="rubbish.bvh"):
        rt.read(b"rubbish", "rubbish.bvh")


def test_a_notebook_shows_clip_report_and_page(tmp_path: Path) -> None:
    result, _ = rt.retarget(WALK, HERO)
    assert "281" in result._repr_html_() and "281 frames" in repr(result)
    page = result.show()
    assert "<iframe srcdoc=" in page._repr_html_()
    page.save(tmp_path / "view.html")
    bvh = tmp_path / "walk.hero.bvh"
    result.save(bvh)
    ran = command("view", WALK, bvh, "--to", HERO, "-o", tmp_path / "by_command.html")
    assert ran.returncode == 0, ran.stderr
    # Names and rounding of the file apart, it is the command line's page.
    ours, theirs = (len((tmp_path / name).read_text()) for name in ("view.html", "by_command.html"))
    assert abs(ours - theirs) < 0.02 * theirs


def test_a_forked_process_has_threads_of_its_own() -> None:
    wanted = rt.retarget(WALK, HERO)[0].to_bytes()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        same = rt.retarget(WALK, HERO)[0].to_bytes() == wanted
        os.write(writer, b"same" if same else b"else")
        os._exit(0)
    os.close(writer)
    assert os.read(reader, 4) == b"same"
    os.waitpid(child, 0)


def test_clips_of_known_data_sets_are_labelled_by_their_names(tmp_path: Path) -> None:
    names = {
        "lafan1/walk1_subject5.bvh": ("lafan1", {"action": "walk", "take": "1", "subject": "5"}),
        "Motion-Matching/pushAndStumble1_subject5.bvh": (
            "lafan1",
            {"action": "pushAndStumble", "take": "1", "subject": "5"},
        ),
        "dataset-2_run_masculine_012.bvh": (
            "bandai_namco",
            {"part": "2", "action": "run", "style": "masculine", "take": "012"},
        ),
        "Aeroplane/Aeroplane_BR.bvh": ("100style", {"style": "Aeroplane", "action": "backwards run"}),
        "Aeroplane/Aeroplane_TR2.bvh": ("100style", {"style": "Aeroplane", "action": "transition 2"}),
        "takes/my own.bvh.gz": ("", {}),
    }
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "readme.txt").touch()
    found = {file.path.relative_to(tmp_path).as_posix(): (file.dataset, file.labels) for file in rt.clip_files(tmp_path)}
    assert found == names
    with pytest.raises(NotADirectoryError):
        rt.clip_files(tmp_path / "readme.txt")
