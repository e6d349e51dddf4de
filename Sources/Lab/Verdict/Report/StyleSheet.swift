/// The one style sheet of a page. Holds neither `<` nor `&`, so that the page stays XML.
struct StyleSheet: Sendable {
  let text: String

  static let page = StyleSheet(
    text: """

      :root{color-scheme:light dark;\(Palette.light.variables)}
      @media (prefers-color-scheme:dark){:root{\(Palette.dark.variables)}}
      """ + layout + charts + print)

  private static let layout = """

    *{box-sizing:border-box}
    body{margin:0;background:var(--background);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",
    Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
    body>header,main,footer{max-width:48rem;margin:0 auto;padding:0 1.25rem}
    body>header{padding-top:3.5rem}
    footer{padding-top:2rem;padding-bottom:4rem;color:var(--muted);font-size:.875rem}
    .skip{position:absolute;left:-100rem}
    .skip:focus{left:1rem;top:1rem;background:var(--background);padding:.5rem}
    a{color:var(--accent);text-underline-offset:.15em}
    :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
    .kicker{margin:0;color:var(--muted);font-size:.875rem}
    h1{font-size:1.125rem;font-weight:600;margin:.25rem 0 1.5rem}
    h2,h3,h4{line-height:1.25;font-weight:600}
    h2{font-size:1.375rem;margin:4rem 0 .75rem}
    h3{font-size:1.125rem;margin:3rem 0 .5rem}
    h4{font-size:1rem;margin:2rem 0 .5rem}
    article{margin-top:5rem;border-top:1px solid var(--line)}
    article>h2{margin-top:2rem}
    p{margin:.5rem 0}
    .answer .rest{font-size:1.0625rem;font-weight:400;letter-spacing:0}
    .answer{font-size:1.5rem;line-height:1.35;font-weight:500;letter-spacing:-.01em;margin:0 0 1.25rem;
    text-wrap:pretty}
    article .answer{font-size:1.25rem}
    .verdict{border-left:4px solid var(--accent);padding-left:1rem}
    .verdict.bad{border-color:var(--bad)}
    .note{color:var(--muted)}
    .about{font-size:.875rem;margin:-1rem 0 1.5rem}
    code{font:.8125em ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;color:var(--muted)}
    .picture img{display:block;max-width:100%;height:auto;border-radius:4px}
    .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:1.25rem 1.5rem;margin:2rem 0}
    .facts div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
    .facts dt{color:var(--muted);font-size:.8125rem;line-height:1.35}
    .facts dd{margin:0;font-size:1.375rem;font-weight:600;white-space:nowrap}
    .setup{margin:0;font-size:.9375rem}
    .setup div{display:grid;grid-template-columns:minmax(8rem,12rem) 1fr;gap:1rem;padding:.3rem 0;
    border-top:1px solid var(--line)}
    .setup dt{color:var(--muted)}
    .setup dd{margin:0}
    .warnings{background:var(--soft);border-left:4px solid var(--bad);padding:.875rem 1.25rem;margin:1.5rem 0;
    font-size:.9375rem}

    .warnings ul{margin:0;padding-left:1.1rem}
    .warnings li+li{margin-top:.375rem}
    nav{margin:2.5rem 0}
    nav h2{font-size:1rem;margin:0 0 .5rem}
    nav ul{margin:0;padding:0;list-style:none;columns:auto 14rem;column-gap:2rem}
    nav.groups ul{columns:auto}
    nav.groups li{padding:.5rem 0;border-top:1px solid var(--line)}
    nav.groups span{display:block;color:var(--muted);font-size:.9375rem}
    table{border-collapse:collapse;font-size:.875rem;line-height:1.4;min-width:100%}
    th,td{padding:.3rem .75rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
    thead th{color:var(--muted);font-weight:500;white-space:nowrap}
    tbody th{font-weight:400}
    .n{text-align:right;white-space:nowrap;padding-right:0;padding-left:1rem}
    .scroll{overflow-x:auto;overflow-wrap:normal}
    .scroll th:not(.n),.scroll td:not(.n){overflow-wrap:break-word;max-width:16rem}
    .n+:not(.n){padding-left:1rem}
    details{margin:.375rem 0 0;font-size:.875rem}
    summary{color:var(--muted);cursor:pointer;width:max-content;max-width:100%}
    details[open] summary{margin-bottom:.5rem}

    """

  private static let charts = """
    figure{margin:1.5rem 0 2.25rem;min-width:0}
    .pair{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:0 2.5rem}
    .pair table{font-size:.8125rem}
    .pair tbody th{white-space:nowrap}
    .pair th,.pair td{padding-right:.375rem}
    .pair .n{padding-left:.375rem;padding-right:0}
    .pair .n+:not(.n){padding-left:.375rem}
    svg.scaled{margin-left:2.75rem;width:calc(100% - 2.75rem)}
    figure>.title{font-weight:600;margin:0}
    figcaption{color:var(--muted);font-size:.875rem;line-height:1.45;margin-top:.5rem}
    svg{display:block;overflow:visible;width:100%;margin-top:.75rem;font-size:12px}
    svg text{fill:var(--muted);paint-order:stroke;stroke:var(--background);stroke-width:3px;stroke-linejoin:round}
    svg .label{fill:var(--ink)}
    svg .key{font:11px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
    svg .strong{fill:var(--ink);font-weight:600}
    svg .alert{fill:var(--bad);font-weight:600}
    svg path,svg line{fill:none;vector-effect:non-scaling-stroke}
    svg .grid{stroke:var(--line);stroke-width:1}
    svg .axis{stroke:var(--muted);stroke-width:1}
    svg .curve{stroke:var(--accent);stroke-width:1.25;stroke-linejoin:round}
    svg .area{fill:var(--accent);stroke:var(--accent);stroke-width:.75}
    svg .outline{fill:none;stroke:var(--ink);stroke-width:1.25}
    svg .mark{stroke:var(--bad);stroke-width:1.75}
    svg .mark-area{fill:var(--bad);stroke:none}
    svg .stall{fill:var(--bad);opacity:.16}
    svg .fill-bad{fill:var(--bad)}
    svg .fill-ink{fill:var(--ink)}
    .swatch.fill-ink{background:var(--ink)}
    .swatch.outline{border:1px solid var(--ink)}
    svg .rung{stroke:var(--accent);stroke-width:2.5}
    svg .throughput,svg .thick{stroke:var(--muted);stroke-width:3}
    svg .missed{stroke:var(--muted);stroke-width:1.5}
    svg .ideal{stroke:var(--ink);stroke-width:1;stroke-dasharray:4 3}
    svg .quantile{stroke:var(--ink);stroke-width:1.25}
    svg .range{stroke:var(--muted);stroke-width:1.25}
    svg .spread{stroke:var(--accent);stroke-width:5}
    svg .spread.bad{stroke:var(--bad)}
    svg .spread.muted{stroke:var(--muted)}
    svg .band{fill:var(--band);stroke:none}
    svg .dot{fill:var(--accent);stroke:var(--background);stroke-width:1}
    svg .dot.bad{fill:var(--bad)}
    svg .dot.muted{fill:var(--muted)}
    svg .record{fill:none;stroke:var(--accent);stroke-width:1.25}
    svg .level{stroke:var(--ink);stroke-width:1.75}
    svg .change{stroke:var(--bad);stroke-width:1.25;stroke-dasharray:2 3}
    .legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.625rem 0 0;padding:0;
    font-size:.875rem}
    .swatch{display:inline-block;width:.75rem;height:.75rem;margin-right:.4rem;border-radius:2px}

    """
    + Palette.stages.map {
      "svg .fill-\($0){fill:var(--\($0))}\n.swatch-\($0),.swatch.fill-\($0){background:var(--\($0))}\n"
    }.joined()

  private static let print = """
    @media print{
    :root{color-scheme:light;\(Palette.light.variables)}
    body{font-size:10pt}
    body>header,main,footer{max-width:none;padding:0}
    body>header{padding-top:0}
    .skip,nav,details:not([open]){display:none}
    h2,h3,h4{break-after:avoid}
    figure,.warnings,tr{break-inside:avoid}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    }
    @media (max-width:30rem){
    body>header{padding-top:2rem}
    .answer{font-size:1.25rem}
    .setup div{grid-template-columns:1fr;gap:0}
    }

    """
}
