"""The picture of caches.py: bars by command, pipeline and server. Readable on light and dark pages; needs Python alone."""
from html import escape

COLORS = {'garnet': '#c6283e', 'valkey': '#4a7fd4', 'redis': '#d98b2b', 'microsoft': '#7a5fc0', 'memcached': '#3f9c6b'}
WIDTH, PANEL_HEIGHT, LEFT, RIGHT = 860, 170, 70, 10
TOP = 56  # title and legend
GAP = 62  # between panels: labels of the one, title of the next
STYLE = """
text { fill: #222; }
.line { stroke: #ccc; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } .line { stroke: #555; } }
"""


def draw(cells, versions, title):
    """An SVG with a panel for the rate and one for the server's processor time; cells are by (command, pipeline), then by server."""
    names = [name for name in versions if any(name in figures for figures in cells.values())]
    panels = [('requests per second, thousands', 0, lambda value: value / 1000, '{:.0f}'), ('processor time of the server for a request, microseconds', 2, float, '{:.1f}')]
    height = TOP + len(panels) * (PANEL_HEIGHT + GAP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12"><style>{STYLE}</style>',
             f'<text x="{LEFT}" y="18" font-size="14">{escape(title)}</text>', legend(names, versions)]
    for index, (label, column, scaled, form) in enumerate(panels):
        values = {key: {name: scaled(figures[name][column]) for name in names if name in figures} for key, figures in cells.items()}
        parts.append(panel(values, names, label, form, TOP + 22 + index * (PANEL_HEIGHT + GAP)))
    return '\n'.join(parts + ['</svg>']) + '\n'


def legend(names, versions):
    step = (WIDTH - LEFT - RIGHT) / len(names)
    return '\n'.join(f'<rect x="{LEFT + i * step:.0f}" y="30" width="10" height="10" fill="{COLORS[name]}"/>'
                     f'<text x="{LEFT + i * step + 15:.0f}" y="39">{escape(versions[name])}</text>' for i, name in enumerate(names))


def panel(values, names, label, form, top):
    most = max(max(group.values()) for group in values.values()) or 1
    bottom, group_width = top + PANEL_HEIGHT, (WIDTH - LEFT - RIGHT) / len(values)
    parts = [f'<text x="{LEFT}" y="{top - 8}">{escape(label)}</text>']
    for quarter in range(5):
        y = bottom - PANEL_HEIGHT * quarter / 4
        parts.append(f'<line class="line" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
                     f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{form.format(most * quarter / 4)}</text>')
    width = group_width * 0.8 / len(names)
    for at, ((command, pipeline), group) in enumerate(values.items()):
        left = LEFT + at * group_width
        parts.append(f'<text x="{left + group_width / 2:.1f}" y="{bottom + 16}" text-anchor="middle">{escape(command)} P={escape(str(pipeline))}</text>')
        for i, name in enumerate(names):
            if name in group:
                height = PANEL_HEIGHT * group[name] / most
                parts.append(f'<rect x="{left + group_width * 0.1 + i * width:.1f}" y="{bottom - height:.1f}" width="{width * 0.9:.1f}" height="{height:.1f}" '
                             f'fill="{COLORS[name]}"/>')
    return '\n'.join(parts)
