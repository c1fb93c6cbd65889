"""Train the two networks of the dice reader on rendered scenes: `python -m vision.dice.train --out DIR`.

Needs torch and onnx, which the product itself never imports; the files `finder.onnx` and `reader.onnx`
are run by OpenCV. The finder marks the middles of upper faces on a picture a few hundred pixels wide,
the reader says from a crop what a face shows and how it lies; it also learns what the finder takes for a
face where none lies (`vision.dice.misses`). No photograph is used.
"""

from __future__ import annotations

import multiprocessing
import time
from pathlib import Path

import click
import cv2
import numpy as np
import onnx.numpy_helper
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from vision.dice.misses import crop, near_miss, render_misses
from vision.dice.nets import CROP, STRIDE
from vision.dice.scenes import OTHER, Stage, TrueDie

CHUNK = 250
NONE = OTHER
"""Classes of the reader: 0 to 5 for 1 to 6 pips, 6 for another face, 7 for no upper face at all."""
SMALLEST, LARGEST = 12.0, 72.0
"""The finder learns dice with edges of so many pixels; smaller and larger ones are found at another size."""


def block(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Return convolution, normalisation, rectifier."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Finder(nn.Module):
    """Picture to (heat, log edge, x, y) on a grid of every fourth pixel; 90 thousand weights."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(block(3, 16, 2), block(16, 32, 2))
        self.far = nn.Sequential(
            block(32, 40, 2), block(40, 40), block(40, 40, dilation=2), block(40, 40, dilation=4), block(40, 40)
        )
        self.both = nn.Sequential(nn.Conv2d(72, 32, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(), block(32, 24))
        self.head = nn.Conv2d(24, 4, 1)
        with torch.no_grad():
            self.head.bias[:] = torch.tensor([-4.0, 0.0, 0.0, 0.0])

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        """Return (n, 4, h / 4, w / 4) for (n, 3, h, w), h and w multiples of 8."""
        near = self.near(picture)
        far = functional.interpolate(self.far(near), scale_factor=2, mode="nearest")
        return self.head(self.both(torch.cat((near, far), dim=1)))


class Reader(nn.Module):
    """Crop to 8 class logits, offset (2) and log scale of the face, its turn (2), its normal (2), hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            block(3, 16, 2),
            block(16, 24),
            block(24, 40, 2),
            block(40, 48),
            block(48, 80, 2),
            block(80, 80),
            block(80, 96),
        )
        self.head = nn.Sequential(
            nn.AvgPool2d(2), nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * 9, 128), nn.ReLU(), nn.Linear(128, 16)
        )

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Return (n, 16) for crops (n, 3, CROP, CROP)."""
        return self.head(self.seen(crops))


def render(job: tuple[int, int, Path]) -> None:
    """Render a chunk of scenes with their truth into a file."""
    seed, number, folder = job
    target = folder / f"{seed}_{number}.npz"
    if target.exists():
        return
    cv2.setNumThreads(1)
    chance = np.random.default_rng((seed, number))
    stage = Stage(chance, 80)
    pictures, truth = [], []
    for k in range(CHUNK):
        picture, dice = stage.mixed()
        pictures.append(picture)
        truth += [_row(k, die) for die in dice]
    np.savez(target, ims=np.stack(pictures), labs=np.array(truth, np.float32))


def _row(k: int, die: TrueDie) -> list[float]:
    side = die.top[1] - die.top[0]
    turn = float(np.arctan2(side[1], side[0]))
    x, y = die.centre
    return [k, die.value, x, y, die.edge, np.cos(4 * turn), np.sin(4 * turn), *die.normal, die.lean, die.visible]


def heat_targets(side: int, dice: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return targets (4, h, w) and weights (2, h, w) (heat, shape) of the finder for one scene."""
    cells = side // STRIDE
    target, weight = np.zeros((4, cells, cells), np.float32), np.zeros((2, cells, cells), np.float32)
    weight[0] = 1
    y, x = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for _, _, cx, cy, edge, *_, visible in dice:
        gx, gy = (cx + 0.5) / STRIDE - 0.5, (cy + 0.5) / STRIDE - 0.5
        spread = max(0.8, 0.14 * edge / STRIDE)
        bump = np.exp(-((x - gx) ** 2 + (y - gy) ** 2) / (2 * spread**2))
        out = not (0 <= cx < side and 0 <= cy < side)
        if visible < 0.45 or not SMALLEST <= edge <= LARGEST or out:
            weight[0][bump > 0.05] = 0
            continue
        ix, iy = round(float(np.clip(gx, 0, cells - 1))), round(float(np.clip(gy, 0, cells - 1)))
        bump[iy, ix] = 1
        target[0] = np.maximum(target[0], bump)
        close = bump > 0.6
        target[1][close] = np.log(edge / 28)
        target[2][close], target[3][close] = (gx - x)[close], (gy - y)[close]
        weight[1][close] = 1
    return target, weight


def finder_loss(found: torch.Tensor, target: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Focal loss on the heat, absolute error on the shape."""
    heat = torch.sigmoid(found[:, 0]).clamp(1e-4, 1 - 1e-4)
    want = target[:, 0]
    peaks = (want >= 0.999).float()
    hit = -peaks * (1 - heat) ** 2 * torch.log(heat)
    miss = -(1 - peaks) * (1 - want) ** 4 * heat**2 * torch.log(1 - heat)
    count = peaks.sum().clamp(min=1)
    shape = (found[:, 1:] - target[:, 1:]).abs().sum(1) * weight[:, 1]
    return ((hit + miss) * weight[:, 0]).sum() / count + 0.5 * shape.sum() / weight[:, 1].sum().clamp(min=1)


def train_finder(scenes: Path, minutes: float, net: Finder, seed: int = 0) -> None:
    """Train for so many minutes of processor time on chunks of scenes."""
    chance = np.random.default_rng(seed)
    for batch, lap in _batches(net, 3e-3, minutes, scenes, lambda chunk: _scene_batches(chunk, chance)):
        pictures, target, weight = batch
        lap(finder_loss(net(pictures), target, weight))


def _scene_batches(file: Path, chance: np.random.Generator):  # type: ignore[no-untyped-def]
    chunk = np.load(file)
    pictures, truth = chunk["ims"], chunk["labs"]
    order = chance.permutation(len(pictures))
    for start in range(0, len(order) - 15, 16):
        ims, targets, weights = [], [], []
        for k in order[start : start + 16]:
            target, weight = heat_targets(pictures.shape[1], truth[truth[:, 0] == k])
            turn, flip = int(chance.integers(4)), bool(chance.random() < 0.5)
            picture = _turned(pictures[k].transpose(2, 0, 1), turn, flip)
            target, weight = _turned(target, turn, flip), _turned(weight, turn, flip)
            dx, dy = target[2].copy(), target[3].copy()
            for _ in range(turn):  # np.rot90 turns anticlockwise: x becomes -y on the way up
                dx, dy = dy, -dx
            target[2], target[3] = (-dx if flip else dx), dy
            ims.append(picture)
            targets.append(target)
            weights.append(weight)
        yield _varied(np.stack(ims), chance), torch.from_numpy(np.stack(targets)), torch.from_numpy(np.stack(weights))


def _turned(maps: NDArray[np.generic], turn: int, flip: bool):  # type: ignore[no-untyped-def]
    turned = np.rot90(maps, turn, (1, 2))
    return np.ascontiguousarray(turned[:, :, ::-1] if flip else turned)


def _varied(pictures: NDArray[np.uint8], chance: np.random.Generator) -> torch.Tensor:
    """Return pictures as 0 to 1 with light and colours varied once more, some in grey."""
    batch = torch.from_numpy(pictures).float() / 255
    count = len(batch)
    gain = torch.from_numpy(
        chance.uniform(0.6, 1.35, (count, 1, 1, 1)) * chance.uniform(0.85, 1.15, (count, 3, 1, 1))
    ).float()
    shift = torch.from_numpy(chance.uniform(-0.1, 0.12, (count, 1, 1, 1))).float()
    batch = batch * gain + shift
    grey = torch.from_numpy((chance.random((count, 1, 1, 1)) < 0.15).astype(np.float32))
    batch = grey * batch.mean(1, keepdim=True) + (1 - grey) * batch
    return batch.clamp(0, 1)


def train_reader(scenes: Path, minutes: float, net: Reader, seed: int = 0) -> None:
    """Train for so many minutes of processor time on crops of scenes."""
    chance = np.random.default_rng(seed)
    misses = np.concatenate([np.load(file) for file in sorted(scenes.glob("*.npy"))])
    for batch, lap in _batches(net, 3e-3, minutes, scenes, lambda chunk: _crop_batches(chunk, misses, chance)):
        crops, classes, shapes, weight = batch
        out = net(crops)
        loss = functional.cross_entropy(out[:, :8], classes, ignore_index=-1, label_smoothing=0.02)
        apart = functional.smooth_l1_loss(out[:, 8:15], shapes[:, :7], reduction="none", beta=0.1).sum(1)
        hidden = functional.binary_cross_entropy_with_logits(out[:, 15], shapes[:, 7], reduction="none")
        lap(loss + ((apart + 0.2 * hidden) * weight).sum() / weight.sum().clamp(min=1))


def _crop_batches(file: Path, misses: NDArray[np.uint8], chance: np.random.Generator):  # type: ignore[no-untyped-def]
    chunk = np.load(file)
    pictures, truth = chunk["ims"], chunk["labs"]
    samples = []
    for row in truth:
        k, value, x, y, edge, c4, s4, nx, ny, lean, visible = (float(v) for v in row)
        if edge < 16 or visible < 0.45:
            continue
        picture = pictures[int(k)]
        for _ in range(2):
            turn, scale = chance.uniform(0, 2 * np.pi), float(np.exp(chance.uniform(-0.22, 0.22)))
            off = chance.uniform(-0.16, 0.16, 2)
            seen = crop(picture, np.array((x, y)) + off * edge, edge * scale, turn)
            c, s = np.cos(turn), np.sin(turn)
            away = np.array([(c, -s), (s, c)]) @ -off / scale
            normal = np.array([(c, -s), (s, c)]) @ (nx, ny)
            four = complex(c4, s4) * np.exp(4j * turn)
            kind = -1 if lean > 0 or visible < 0.6 else int(value) - 1
            samples.append(
                (seen, kind, (*away, -np.log(scale), four.real, four.imag, *normal, float(visible < 0.8)), 1.0)
            )
        places = [near_miss(picture, truth[truth[:, 0] == k], row, chance) for _ in range(2)]
        samples += [(seen, NONE, (0.0,) * 8, 0.0) for seen in places if seen is not None]
    drawn = chance.choice(len(misses), min(len(samples) // 2, len(misses)), replace=False)
    samples += [(misses[k], NONE, (0.0,) * 8, 0.0) for k in drawn]
    order = chance.permutation(len(samples))
    for start in range(0, len(order) - 127, 128):
        chosen = [samples[k] for k in order[start : start + 128]]
        crops = np.stack([each[0] for each in chosen]).transpose(0, 3, 1, 2)
        yield (
            _varied(np.ascontiguousarray(crops), chance),
            torch.tensor([each[1] for each in chosen]),
            torch.tensor([each[2] for each in chosen], dtype=torch.float32),
            torch.tensor([each[3] for each in chosen], dtype=torch.float32),
        )


def _batches(net: nn.Module, rate: float, minutes: float, scenes: Path, batches):  # type: ignore[no-untyped-def]
    """Yield batches and a function that takes the loss of each, until the time is over."""
    rate = rate / 3 if getattr(net, "onward", False) else rate
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    begun, told, losses, laps, used = time.process_time(), 0.0, [], 0, 0

    def lap(loss: torch.Tensor) -> None:
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        losses.append(float(loss.detach()))

    net.train()
    for norm in _norms(net) if getattr(net, "onward", False) else ():
        norm.eval()  # the shipped networks have no statistics of their batches any more
    chance = np.random.default_rng(1)
    while True:
        for file in chance.permutation([str(each) for each in scenes.glob("*.npz")]):
            used += 1
            for batch in batches(Path(file)):
                spent = (time.process_time() - begun) / (60 * minutes)
                if spent >= 1:
                    return
                warm = min(1.0, (laps + 1) / 50)
                for group in optimiser.param_groups:
                    group["lr"] = rate * warm * 0.5 * (1 + np.cos(np.pi * spent)) + 1e-5
                yield batch, lap
                laps += 1
                if time.monotonic() - told > 20:
                    told = time.monotonic()
                    click.echo(f"{spent:5.0%} step {laps} file {used} loss {np.mean(losses[-50:]):.4f}")


def export(net: nn.Module, sample: torch.Tensor, target: Path) -> None:
    """Write a network as ONNX; any number of crops, any size of picture."""
    names = {0: "count", 2: "height", 3: "width"} if isinstance(net, Finder) else {0: "count"}
    torch.onnx.export(
        net.eval(), (sample,), str(target), input_names=["picture"], output_names=["out"],
        dynamic_axes={"picture": names, "out": names}, opset_version=13, dynamo=False,
    )  # fmt: skip


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where the networks are written to.")
@click.option("--scenes", type=click.Path(path_type=Path), required=True, help="Folder for the rendered scenes.")
@click.option("--chunks", default=40, show_default=True, help="Chunks of 250 scenes to render, if not there yet.")
@click.option("--minutes", default=10.0, show_default=True, help="Processor time for each network.")
@click.option("--which", type=click.Choice(["both", "finder", "reader"]), default="both")
@click.option("--threads", default=1, show_default=True)
@click.option("--onward", is_flag=True, help="Go on from the networks that are shipped.")
def main(out: Path, scenes: Path, chunks: int, minutes: float, which: str, threads: int, onward: bool) -> None:
    """Render, train, export."""
    torch.set_num_threads(threads)
    scenes.mkdir(parents=True, exist_ok=True)
    if chunks:
        with multiprocessing.Pool(threads) as pool:
            pool.map(render, [(1, k, scenes) for k in range(chunks)])
            pool.map(render_misses, [(1, k, scenes) for k in range(max(1, chunks // 5))])
    torch.manual_seed(0)
    if which != "reader":
        finder = _resumed(Finder(), out / "finder.pt")
        if onward:
            go_onward(finder, Path(__file__).with_name("finder.onnx"))
        train_finder(scenes, minutes, finder)
        _keep(finder, torch.zeros(1, 3, 256, 256), out / "finder.onnx")
    if which != "finder":
        reader = _resumed(Reader(), out / "reader.pt")
        if onward:
            go_onward(reader, Path(__file__).with_name("reader.onnx"))
        train_reader(scenes, minutes, reader)
        _keep(reader, torch.zeros(1, 3, CROP, CROP), out / "reader.onnx")


def _resumed(net, weights: Path):  # type: ignore[no-untyped-def]
    """Go on where an earlier training stopped, if its weights lie beside the networks."""
    if weights.exists():
        net.load_state_dict(torch.load(weights))
    return net


def go_onward(net: nn.Module, shipped: Path) -> None:
    """Start from a shipped network, in which each normalisation was melted into the convolution before it."""
    named = {each.name: onnx.numpy_helper.to_array(each) for each in onnx.load(str(shipped)).graph.initializer}
    melted = iter([value for name, value in named.items() if name.startswith("onnx::")])
    with torch.no_grad():
        for name, value in named.items():
            if not name.startswith("onnx::"):
                net.get_parameter(name).copy_(torch.from_numpy(value.copy()))
        convolutions = [part for part in net.modules() if isinstance(part, nn.Conv2d) and part.bias is None]
        for convolution, norm in zip(convolutions, _norms(net), strict=True):
            convolution.weight.copy_(torch.from_numpy(next(melted).copy()))
            norm.bias.copy_(torch.from_numpy(next(melted).copy()))
            norm.weight.fill_(1.0)
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
    net.onward = True


def _norms(net: nn.Module) -> list[nn.BatchNorm2d]:
    return [part for part in net.modules() if isinstance(part, nn.BatchNorm2d)]


def _keep(net: nn.Module, sample: torch.Tensor, target: Path) -> None:
    torch.save(net.state_dict(), target.with_suffix(".pt"))
    export(net, sample, target)


if __name__ == "__main__":
    main()
