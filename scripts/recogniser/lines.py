"""Draws lines of text as photos of receipts show them: printed by a till, lying a little askew, lit unevenly, blurred, compressed.

Each line is cut as the service cuts it (src/ocr/recognition.ts): 48 px high, nine tenths as wide, in planes B, G, R.
"""
import random

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from characters import ADDED

HEIGHT = 48
WIDTH_SHARE = 0.9
STEP = 8
WIDTH_MAX = 1000
MIDDLE_LEVEL = 127
FIXED_WIDTH_SHARE = 0.68


class Drawing:
    """Ink (0 to 1), and the rectangle that the text takes up in it."""

    def __init__(self, ink, x, y, width, height):
        self.ink, self.x, self.y, self.width, self.height = ink, x, y, width, height

    def stretched(self, fx, fy, interpolation):
        ink = cv2.resize(self.ink, None, fx=fx, fy=fy, interpolation=interpolation)
        return Drawing(ink, self.x * fx, self.y * fy, self.width * fx, self.height * fy)


class Lines:
    """Draws lines: the same seed gives the same ones."""

    def __init__(self, seed, fonts):
        self.random, self.noise = random.Random(seed * 7 + 1), np.random.RandomState(seed)
        self.fixed = [font for font in fonts if font[2]]
        self.proportional = [font for font in fonts if not font[2]]
        self.complete = [font for font in fonts if all(c in font[1] for c in ADDED[:60])]
        self.loaded = {}

    def chance(self, probability):
        return self.random.random() < probability

    def between(self, least, most):
        return self.random.uniform(least, most)

    def font_for(self, text):
        needed = set(text) - {" "}
        pool = self.fixed if self.chance(FIXED_WIDTH_SHARE) else self.proportional
        candidates = [self.random.choice(pool) for _ in range(12)] + [self.random.choice(self.complete) for _ in range(10)]
        return next((path for path, characters, _ in candidates if needed <= characters), None)

    def load(self, path, size):
        if len(self.loaded) > 600:
            self.loaded.clear()
        if (path, size) not in self.loaded:
            self.loaded[path, size] = ImageFont.truetype(path, size)
        return self.loaded[path, size]

    def drawn(self, text, path, size, is_binary, spacing):
        font = self.load(path, size)
        ascent, descent = font.getmetrics()
        advances = [font.getlength(c) for c in text]
        width = int(sum(advances) + spacing * len(text) + size * 2)
        image = Image.new("1" if is_binary else "L", (width, ascent + descent + size), 0)
        draw = ImageDraw.Draw(image)
        draw.fontmode = "1" if is_binary else "L"
        fill, x, y = 1 if is_binary else 255, size, size // 2
        for piece, advance in zip(text, advances) if spacing else [(text, 0)]:
            try:
                draw.text((x, y), piece, font=font, fill=fill)
            except OSError:  # A typeface of bitmaps, without one for this glyph.
                return None
            x += advance + spacing
        ink = np.array(image, dtype=np.float32) / (1 if is_binary else 255)
        ys, xs = np.where(ink > 0.3)
        if len(xs) == 0:
            return None
        # Short marks alone (a dash) get the box of a line: from the baseline to the height of capitals.
        baseline = size // 2 + ascent
        top, bottom = min(ys.min(), baseline - int(ascent * 0.72)), max(ys.max() + 1, baseline)
        left, right = xs.min(), xs.max() + 1
        ink = ink[max(0, top - size // 2) : bottom + size // 2 + 1, max(0, left - size) : right + size]
        return Drawing(ink, min(left, size), min(top, size // 2), right - left, bottom - top)

    def printed(self, text):
        """By a till's head of few dots, or as on a poster, with double height and width."""
        r, is_till = self.random, self.chance(0.5)
        path = self.font_for(text)
        if path is None:
            return None
        size = r.randint(18, 30) if is_till else r.randint(26, 60)
        spacing = r.choice([0, 0, 0, self.between(-0.04, 0.25) * size])
        drawing = self.drawn(text, path, size, is_till and self.chance(0.75), spacing)
        if drawing is None:
            return None
        wider = r.choice([1, 1, 1, self.between(0.6, 1), self.between(0.8, 1.6)])
        higher = r.choice([1, 1, 1, 1, self.between(1, 2)])
        if not is_till:
            return drawing.stretched(wider, higher, cv2.INTER_LINEAR)
        dots = r.randint(1, 3)
        interpolation = cv2.INTER_NEAREST if self.chance(0.6) else cv2.INTER_LINEAR
        drawing = drawing.stretched(dots * wider, dots * higher, interpolation)
        if dots > 1 and self.chance(0.25):
            ys, xs = np.mgrid[0 : drawing.ink.shape[0], 0 : drawing.ink.shape[1]]
            within = ((ys % dots) < dots - 1 + self.chance(0.3)) * ((xs % dots) < dots - 1 + self.chance(0.5))
            drawing.ink = drawing.ink * (1 - self.between(0.3, 0.9) * (1 - within)).astype(np.float32)
        if self.chance(0.7):
            drawing.ink = cv2.GaussianBlur(drawing.ink, (0, 0), self.between(0.4, 0.5 * dots + 0.3))
        return drawing

    def worn(self, drawing):
        """Thick and thin, with dots, streaks and places where ink lacks, and rows above and below."""
        ink, kind, height = drawing.ink, self.random.random(), drawing.height
        if kind < 0.15:
            ink = cv2.dilate(ink, np.ones((2, 2), np.uint8))
        elif kind < 0.25 and height > 30:
            ink = cv2.erode(ink, np.ones((2, 2), np.uint8))
        rows, columns = ink.shape
        if self.chance(0.3):
            ink = ink * (self.noise.rand(rows, columns) > self.between(0.02, 0.25)).astype(np.float32)
            ink = cv2.GaussianBlur(ink, (0, 0), 0.7)
        if self.chance(0.25):
            ink = ink * np.clip(0.4 + 1.2 * self.cloud(rows, columns, 8, self.noise.rand), 0, 1)
        if self.chance(0.06):
            for _ in range(self.random.randint(1, 3)):
                y = self.random.randint(0, rows - 1)
                ink[y : y + max(1, rows // 30)] *= self.between(0, 0.6)
        distance = int(height * self.between(1.15, 1.6))
        if self.chance(0.3) and distance < rows:
            other = np.roll(ink, self.random.randint(-40, 40), 1)
            if self.chance(0.5):
                ink[: rows - distance] = np.maximum(ink[: rows - distance], other[distance:])
            else:
                ink[distance:] = np.maximum(ink[distance:], other[: rows - distance])
        drawing.ink = ink
        return drawing

    def cloud(self, rows, columns, grain, values):
        return cv2.resize(values(max(2, rows // grain), max(2, columns // grain)).astype(np.float32), (columns, rows))

    def margin(self, height, mean, deviation, least):
        return max(least, self.random.gauss(mean, deviation)) * height

    def photographed(self, drawing):
        """Ink as the camera sees it: the detector's box, askew, bent, slanted, at the photo's scale."""
        r, height, width = self.random, drawing.height, drawing.width
        scale = self.between(0.35, 1.4) if height > 24 else self.between(0.8, 1.4)
        above, below = self.margin(height, 0.2, 0.09, -0.06), self.margin(height, 0.2, 0.09, -0.06)
        before, behind = self.margin(height, 0.22, 0.12, -0.02), self.margin(height, 0.22, 0.12, -0.02)
        left, right = drawing.x - before, drawing.x + width + behind
        top, bottom = drawing.y - above, drawing.y + height + below
        rows, columns = round(max(14, (bottom - top) * scale)), round(max(10, (right - left) * scale))
        turn = r.gauss(0, 0.012) if self.chance(0.7) else r.gauss(0, 0.035)
        turn = np.clip(turn, -0.25 * height / max(width, 1), 0.25 * height / max(width, 1))
        bend = r.gauss(0, 0.05) * height if self.chance(0.3) else 0
        slant = r.gauss(0, 0.06) if self.chance(0.5) else 0
        u, v = np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows)
        dx, dy = (u - 0.5) * (right - left), (v - 0.5) * (bottom - top)
        xs = (left + right) / 2 + dx + slant * dy
        ys = (top + bottom) / 2 + dy + turn * dx + bend * (4 * (u - 0.5) ** 2 - 0.5)
        ink = drawing.ink if scale >= 1 else cv2.GaussianBlur(drawing.ink, (0, 0), max(1e-3, (1 / scale - 1) * 0.5))
        seen = cv2.remap(ink.astype(np.float32), xs.astype(np.float32), ys.astype(np.float32), cv2.INTER_LINEAR)
        return seen, u, v

    def lit(self, ink, u, v):
        """Colours of paper and ink under a lamp and shadows: levels, (rows, columns, 3)."""
        r, (rows, columns) = self.random, ink.shape
        paper = self.between(170, 255) if self.chance(0.78) else self.between(60, 180)
        contrast = self.between(0.3, 0.95) if self.chance(0.8) else self.between(0.12, 0.3)
        print_level = paper * (1 - contrast)
        if self.chance(0.03):
            paper, print_level = print_level, paper
        paper = paper * (1 + self.noise.randn(3) * r.choice([0, 0, 0.01, 0.03]))
        print_level = print_level * (1 + self.noise.randn(3) * r.choice([0, 0, 0.03, 0.12]))
        light = np.ones((rows, columns), np.float32)
        if self.chance(0.5):
            light = light * (1 + self.between(-0.25, 0.25) * (u - 0.5) + self.between(-0.2, 0.2) * (v - 0.5))
        if self.chance(0.12):
            edge = (u - r.random() + self.between(-1, 1) * (v - 0.5) * 0.2) * self.between(5, 60)
            light = light * (1 - self.between(0.2, 0.6) / (1 + np.exp(edge)))
        if self.chance(0.25):
            light = light * (1 + self.between(0.02, 0.1) * self.cloud(rows, columns, 6, self.noise.randn))
        return (paper * (1 - ink[..., None]) + print_level * ink[..., None]) * light[..., None]

    def taken(self, levels):
        """Blurred by the lens or the hand, with the sensor's noise, and compressed."""
        rows = levels.shape[0]
        if self.chance(0.35):
            levels = cv2.GaussianBlur(levels, (0, 0), self.between(0.3, 0.045 * rows + 0.35))
        if self.chance(0.08):
            length = max(2, int(0.12 * rows))
            kernel = np.zeros((length, length), np.float32)
            if self.chance(0.5):
                kernel[length // 2] = 1 / length
            else:
                kernel[:, length // 2] = 1 / length
            levels = cv2.filter2D(levels, -1, kernel)
        if self.chance(0.5):
            levels = levels + self.noise.randn(*levels.shape) * self.between(1, 12)
        levels = np.clip(levels, 0, 255).astype(np.uint8)
        if self.chance(0.5):
            quality = [cv2.IMWRITE_JPEG_QUALITY, self.random.randint(25, 95)]
            levels = cv2.imdecode(cv2.imencode(".jpg", levels, quality)[1], 1)
        return levels

    def cut(self, levels):
        rows, columns = levels.shape[:2]
        wanted = WIDTH_SHARE * HEIGHT * columns / rows * self.between(0.88, 1.12)
        width = int(np.clip(round(wanted), STEP, 1200))
        samples = max(1, min(4, round(rows / HEIGHT)))
        line = cv2.resize(levels, (width * samples, HEIGHT * samples), interpolation=cv2.INTER_LINEAR)
        line = cv2.resize(line, (width, HEIGHT), interpolation=cv2.INTER_AREA) if samples > 1 else line
        planes = np.full((3, HEIGHT, -(-width // STEP) * STEP), MIDDLE_LEVEL, np.uint8)
        planes[:, :, :width] = line.transpose(2, 0, 1)
        return planes

    def of(self, text):
        """A line (3, 48, width) in bytes; None if no typeface has its characters, or it is too narrow to be read."""
        drawing = self.printed(text)
        if drawing is None:
            return None
        line = self.cut(self.taken(self.lit(*self.photographed(self.worn(drawing)))))
        steps = len(text) + sum(a == b for a, b in zip(text, text[1:])) + 1
        return line if steps <= line.shape[2] / STEP and line.shape[2] <= WIDTH_MAX else None
