"""The report as one HTML file that needs no other."""

import html

from .facts import Facts
from .tables import NONE, Table, all_tables

STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .22rem .7rem; text-align: right; border-bottom: 1px solid #ddd; vertical-align: top; font-variant-numeric: tabular-nums; }
th { border-bottom: 2px solid #888; }
.words { text-align: left; }
.refused { color: #777; }
.note, footer { color: #555; font-size: .85rem; }
.wide { overflow-x: auto; }
code { font-size: .85em; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; }
.missing { border-left: 4px solid #D55E00; padding-left: .8rem; }
"""


def cells(kind: str, words: list[str], table: Table) -> str:
    out = []
    for column, text in enumerate(words):
        names = ["words"] * (column in table.texts) + ["refused"] * text.startswith(("refused", NONE))
        out.append(f'<{kind} class="{" ".join(names)}">{html.escape(text)}</{kind}>')
    return "<tr>" + "".join(out) + "</tr>"


def section(table: Table, picture: str) -> str:
    body = "\n".join(cells("td", row, table) for row in table.rows)
    grid = f'<div class="wide"><table>\n{cells("th", table.columns, table)}\n{body}\n</table></div>'
    note = f'<p class="note">{html.escape(table.note)}</p>' if table.note else ""
    return f"<h2>{html.escape(table.title)}</h2>\n{picture}{grid}\n{note}"


def page(facts: Facts, pictures: dict[str, str]) -> str:
    """pictures: SVG by the title of the table that it stands above."""
    sections = "\n".join(section(table, pictures.get(table.title, "")) for table in all_tables(facts))
    missing = "".join(f'<p class="missing">{html.escape(text)}</p>\n' for text in facts.missing)
    title = html.escape(facts.title)
    return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>vg: {title}</title>
<style>{STYLE}</style>
<h1>vg: {title}</h1>
<p><code>{html.escape(facts.config)}</code></p>
{missing}{sections}
<footer><p>Compiler: {html.escape(facts.compiler)}</p></footer>
</html>
"""
