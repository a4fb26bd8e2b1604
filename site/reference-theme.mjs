/**
 * A theme of TypeDoc whose pages are pages of the site: `dist/reference/shell.html`, which VitePress has built, with the names of a package at the side, the
 * text of TypeDoc in the middle, and its outline.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefaultTheme, DefaultThemeRenderContext, JSX, ReflectionKind } from 'typedoc'

/** Parts of the shell, each up to the next one. */
const marks = {
  head: '</head>',
  sidebar: /(?<=<nav class="nav" id="VPSidebarNav"[^>]*>)[\s\S]*?(?=<\/nav>)/,
  outline: /(?<=<ul class="VPDocOutlineItem root"[^>]*>)[\s\S]*?(?=<\/ul>)/,
  main: /(?<=<main class="main"[^>]*><div[^>]*>)[\s\S]*?(?=<\/div><\/main>)/,
}

/** The shell without the program of VitePress, which would replace what TypeDoc has written. */
const readShell = () =>
  readFileSync(join(import.meta.dirname, 'dist', 'reference', 'shell.html'), 'utf8')
    .replaceAll(/<link rel="modulepreload"[^>]*>\s*|<script type="module" src="[^"]*"><\/script>\s*/g, '')
    .replaceAll(/<script>window\.__VP_[\s\S]*?<\/script>/g, '')
    .replaceAll(/<!--(?:\[|\]|)-->/g, '')
    .replace(
      '</head>',
      "<script>document.documentElement.dataset.theme = document.documentElement.classList.contains('dark') ? 'dark' : 'light'</script></head>",
    )
    // The menu of a phone is the bar itself.
    .replace('aria-controls="VPNavScreen"', 'aria-controls="site-menu"')
    .replace('class="VPNavBarMenu', 'id="site-menu" $&')
    .replace('class="VPNavBar"', 'class="VPNavBar has-sidebar"')
    .replace(/<footer class="VPDocFooter"[\s\S]*?<\/footer>/, '')

/** Headings whose level is more than one below that of the heading before them say the right level. */
function inOrder(html) {
  let last = 0
  return html.replaceAll(/<h([1-6])\b/g, (heading, level) => {
    const right = Math.min(Number(level), last + 1)
    last = right
    return right === Number(level) ? heading : `${heading} aria-level="${right}"`
  })
}

/** Mends what TypeDoc's pages lack for screen readers: headings in order, no link inside of a button. */
const accessible = (html) =>
  html
    .replaceAll(
      /(<summary\b(?:(?!<\/summary>)[\s\S])*?)<a [^>]*class="tsd-anchor-icon">(?:(?!<\/a>)[\s\S])*<\/a>/g,
      '$1',
    )
    .replaceAll(
      /(<div class="tsd-tag-[\w-]+">\s*)<h4( [^>]*)>((?:(?!<\/h4>)[\s\S])*)<\/h4>/g,
      '$1<div role="term"$2>$3</div>',
    )
    // The heading names the entry.
    .replaceAll(/ Entry <code>@x\/[^<]*<\/code>\./g, '')
    // The class of an error begins its sentence.
    .replaceAll(
      /<span class="tsd-type-annotation">\{(\w+)\}<\/span>(<p>)?/g,
      (_, name, paragraph = '') => `${paragraph}<code>${name}</code> `,
    )

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The module of a reflection: the reflection itself, or what it is a part of. */
function moduleOf(reflection) {
  let found = reflection
  while (found && !found.kindOf(ReflectionKind.Module)) found = found.parent
  return found
}

const packageOf = (module) => module.name.split('/').slice(0, 2).join('/')

class SiteContext extends DefaultThemeRenderContext {
  #link(reflection, text = reflection.name) {
    const isCurrent = reflection === this.page.model
    return `<li><a href="${this.urlTo(reflection)}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(text)}</a></li>`
  }

  #list(title, reflections) {
    return reflections.length === 0
      ? ''
      : `<h2>${escaped(title)}</h2><ul>${reflections.map((one) => this.#link(one)).join('')}</ul>`
  }

  /** The entries of the package, and the names of the module that are of the same kind. On the first page, all packages. */
  #sidebar({ model, project }) {
    const modules = project.children ?? []
    const current = moduleOf(model)
    const all = `<ul>${this.#link(project, 'All packages')}</ul>`
    if (current === undefined) {
      const packages = new Map(modules.map((module) => [packageOf(module), module]).reverse())
      return `${all}<h2>Packages</h2><ul>${[...packages]
        .reverse()
        .map(([name, module]) => this.#link(module, name))
        .join('')}</ul>`
    }
    const name = packageOf(current)
    const entries = modules.filter((module) => packageOf(module) === name)
    const same = model === current ? [] : (current.children ?? []).filter(({ kind }) => kind === model.kind)
    return `${all}${this.#list(name, entries)}${this.#list(`${ReflectionKind.pluralString(model.kind)} of ${current.name}`, same)}`
  }

  #outline({ pageSections }) {
    const headings = pageSections.flatMap((section) => section.headings)
    return headings
      .map(({ link, text }) => `<li><a class="outline-link" href="${link}">${escaped(text)}</a></li>`)
      .join('')
  }

  defaultLayout = (template, page) => {
    const text = inOrder(accessible(JSX.renderElement(this.header(page)) + JSX.renderElement(template(page))))
    const { model, project } = page
    const title = model === project ? 'All packages' : model.name
    const comment = model.comment ?? model.signatures?.[0]?.comment
    const summary = comment?.summary
      .map((part) => part.text)
      .join('')
      .split('\n\n')[0]
      .replaceAll(/\s+/g, ' ')
      .replaceAll('"', '&quot;')
    const styles = ['style', 'highlight', 'custom'].map(
      (name) => `<link rel="stylesheet" href="${this.relativeURL(`assets/${name}.css`)}">`,
    )
    const outline = this.#outline(page)
    const html = this.theme.shell
      .replace('VPDocAsideOutline', (name) => (outline === '' ? name : `${name} has-outline`))
      .replace(/<title>[^<]*/, () => `<title>${escaped(title)} | Reference`)
      .replace(
        /(<meta name="description" content=")[^"]*/,
        (_, start) => start + (summary || 'All names of all packages.'),
      )
      .replace(
        marks.head,
        (end) =>
          `${styles.join('')}<script type="module" src="${this.relativeURL('assets/custom.js')}"></script>${end}`,
      )
      .replace(marks.sidebar, () => this.#sidebar(page))
      .replace(marks.outline, () => outline)
      .replace(marks.main, () => text)
    return JSX.createElement(JSX.Raw, { html: html.replace(/^<!DOCTYPE html>/i, '') })
  }
}

/** @param {import('typedoc').Application} app */
export function load(app) {
  const shell = readShell()
  for (const [name, mark] of Object.entries(marks))
    if (shell.search(mark) < 0) throw new Error(`The page of VitePress has no ${name}.`)
  class SiteTheme extends DefaultTheme {
    ContextClass = SiteContext
    shell = shell
  }
  app.renderer.defineTheme('site', SiteTheme)
}
