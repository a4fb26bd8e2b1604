/**
 * @module
 * The HTML of the page.
 */

const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1b1f24, #e4e7eb); --soft: light-dark(#5a6472, #9aa5b1);
  --back: light-dark(#fff, #14171b); --side: light-dark(#f5f6f8, #1b1f25); --line: light-dark(#d8dde3, #323a44);
  --accent: light-dark(#0b5cad, #7cc0ff); --mark: light-dark(#ffe58a, #6b5200); }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); overflow-wrap: anywhere }
form { position: sticky; top: 0; z-index: 1; padding: .75rem 1rem; background: var(--back); border-bottom: 1px solid var(--line) }
input { width: 100%; padding: .6rem .8rem; font: inherit; color: inherit; background: var(--side); border: 1px solid var(--line); border-radius: .5rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }
#status { margin: .5rem 1rem 0; color: var(--soft); font-size: .875rem }
#answer { margin: .75rem 1rem; padding: .75rem 1rem; background: var(--side); border-radius: .5rem }
#answer h2 { margin: 0; font-size: .875rem; color: var(--soft) }
#answer :is(p, li) { white-space: pre-line }
#answer pre, #document pre { white-space: pre }
#answer button { display: block; border: 0; padding: .25rem 0; background: none; color: var(--accent); font: inherit; text-align: start; cursor: pointer }
ol { list-style: none; margin: .5rem 0; padding: 0 }
li button { display: block; width: 100%; padding: .75rem 1rem; border: 0; border-inline-start: 3px solid transparent; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer }
li.selected button { background: var(--side); border-color: var(--accent) }
li strong { display: block }
.place { color: var(--accent); font: .8125rem ui-monospace, monospace }
.excerpt { margin-top: .25rem; white-space: pre-wrap; font-size: .9375rem; color: var(--soft); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 10; overflow: hidden }
.excerpt b { color: var(--text) }
mark { color: inherit; background: var(--mark); border-radius: .2rem; padding: 0 .15rem }
.excerpt mark { color: var(--text); font-weight: 600 }
#document { padding: 0 1rem 40vh; outline-offset: -2px; display: none }
code { font: .875em ui-monospace, monospace; background: light-dark(#e9ecf0, #2a313a); border-radius: .2rem; padding: .1em .3em }
:is(#document, #answer) ul { margin: .5rem 0; padding-inline-start: 1.5rem }
:is(#document, #answer) a { color: var(--accent) }
#answer pre { padding: .75rem; overflow-x: auto; background: var(--back); border-radius: .5rem; font-size: .875rem }
#document pre { padding: .75rem; overflow-x: auto; background: var(--side); border-radius: .5rem; font-size: .875rem }
#document .row { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: .4rem .5rem; border-top: 1px solid var(--line) }
#document .row span { flex: 1 1 8rem; max-width: 100%; overflow-wrap: break-word }
#document small { display: block; color: var(--soft) }
#document .item, #document .property { margin-block: .25rem }
#document .quote { color: var(--soft); border-inline-start: 3px solid var(--line); padding-inline-start: 1rem; white-space: pre-line }
.here { background: light-dark(#fff6d6, #3a3110); box-shadow: 0 0 0 .4rem light-dark(#fff6d6, #3a3110); border-radius: .1rem; scroll-margin-block: 4rem }
#back { position: sticky; top: 0; display: block; width: calc(100% + 2rem); margin: 0 -1rem; padding: .7rem 1rem; text-align: start; font: inherit; color: var(--accent); background: var(--back); border: 0; border-bottom: 1px solid var(--line); cursor: pointer }
.reading #document { display: block; position: fixed; inset: 0; overflow-y: auto; background: var(--back); z-index: 2 }
@media (min-width: 60rem) {
  main { display: grid; grid-template-columns: minmax(22rem, 2fr) 3fr; height: calc(100vh - 4.2rem) }
  #side { overflow-y: auto; border-inline-end: 1px solid var(--line) }
  #document, .reading #document { display: block; position: static; overflow-y: auto; max-width: 60rem }
  #back { display: none }
}`

/** Returns the page. @param title - the name of the documentation; `hasModel`: whether a model answers under `answer` */
export function pageHtml({ title, hasModel }: { title: string; hasModel: boolean }): string {
  const name = title.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'"
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body data-model="${hasModel ? 'yes' : 'no'}">
<form id="form" role="search"><h1 class="unseen">Ask ${name}</h1><input id="question" type="search" aria-label="Question" placeholder="Ask ${name}" autocomplete="off" autofocus></form>
<main>
<div id="side"><p id="status" role="status">Loading …</p><section id="answer" aria-live="polite" hidden></section><ol id="sections" aria-label="Sections"></ol></div>
<article id="document" tabindex="0" aria-label="Document"></article>
</main>
<script type="module" src="ask.js"></script>
</body>
</html>
`
}
