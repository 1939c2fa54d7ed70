"""The picture of tier.py: rate and 99th percentile by the share of reads that went to the disk. Readable on light and dark pages."""
from html import escape

COLORS = {1: '#c6283e', 32: '#4a7fd4'}
DASHES = {'Valkey, all in memory': '6 3', 'Microsoft': '2 3'}
WIDTH, PANEL_HEIGHT, LEFT, RIGHT, TOP, GAP = 860, 190, 70, 20, 60, 66
STYLE = """
text { fill: #222; }
.line { stroke: #ccc; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } .line { stroke: #555; } }
"""


def draw(points, others):
    """An SVG; points are (share, rate, p99) by pipeline, others the rates of servers by pipeline, drawn as level lines."""
    panels = [('GETs per second, thousands', 1, .001), ('99th percentile, milliseconds', 2, 1)]
    height = TOP + len(panels) * (PANEL_HEIGHT + GAP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12"><style>{STYLE}</style>', legend(points, others)]
    for index, (label, column, scale) in enumerate(panels):
        levels = {name: rates for name, rates in others.items() if column == 1}
        parts.append(panel(points, levels, label, column, scale, TOP + 22 + index * (PANEL_HEIGHT + GAP)))
    return '\n'.join(parts + ['</svg>']) + '\n'


def legend(points, others):
    names = [(f'pipeline {pipeline}', COLORS[pipeline], '') for pipeline in points] + [(f'{name}: uniform GETs of all keys', '#888', DASHES[name]) for name in others]
    step = (WIDTH - LEFT - RIGHT) / len(names)
    return '\n'.join(f'<line x1="{LEFT + i * step:.0f}" x2="{LEFT + i * step + 24:.0f}" y1="34" y2="34" stroke="{color}" stroke-width="2" stroke-dasharray="{dash}"/>'
                     f'<text x="{LEFT + i * step + 30:.0f}" y="38">{escape(name)}</text>' for i, (name, color, dash) in enumerate(names))


def panel(points, levels, label, column, scale, top):
    values = [point[column] * scale for each in points.values() for point in each] + [rate * scale for rates in levels.values() for rate in rates]
    most, bottom, width = max(values) or 1, top + PANEL_HEIGHT, WIDTH - LEFT - RIGHT
    parts = [f'<text x="{LEFT}" y="{top - 8}">{escape(label)}</text>']
    for quarter in range(5):
        y, x = bottom - PANEL_HEIGHT * quarter / 4, LEFT + width * quarter / 4
        parts.append(f'<line class="line" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{most * quarter / 4:.3g}</text>'
                     f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{quarter * 25} % from disk</text>')
    for name, rates in levels.items():
        for pipeline, rate in zip(points, rates):
            y = bottom - PANEL_HEIGHT * rate * scale / most
            parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{COLORS[pipeline]}" stroke-dasharray="{DASHES[name]}"/>')
    for pipeline, each in points.items():
        line = ' '.join(f'{LEFT + width * min(1, point[0]):.1f},{bottom - PANEL_HEIGHT * point[column] * scale / most:.1f}' for point in each)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLORS[pipeline]}" stroke-width="2"/>')
    return '\n'.join(parts)
