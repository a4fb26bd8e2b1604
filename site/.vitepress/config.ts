import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type MarkdownOptions } from 'vitepress'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Token = ReturnType<Markdown['parse']>[number]

const site = join(import.meta.dirname, '..')
/** What `tools/site.ts` knows about the pages. */
const { base, description, menu, repository, playground } = JSON.parse(
  readFileSync(join(site, 'pages', 'site.json'), 'utf8'),
)

/** Vue reads braces in text and code; here they are text. */
function escapeBraces(md: Markdown): void {
  for (const rule of ['text', 'code_inline', 'fence'] as const) {
    const render = md.renderer.rules[rule]!
    md.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
  }
}

/** An example that the playground can show has a link that opens it there; one of an error also takes a value of the reader. */
function linkToPlayground(md: Markdown): void {
  const render = md.renderer.rules.fence!
  md.renderer.rules.fence = (tokens, index, options, env, ...rest) => {
    const address: string | undefined = playground[tokens[index]!.content]
    const link = `<p class="try"><a href="${base}playground/${address}" target="_self">Open in the playground</a></p>\n`
    const own = env.frontmatter?.codes === true ? `<OwnValue address="${address}" />\n` : ''
    return render(tokens, index, options, env, ...rest) + (address === undefined ? '' : link + own)
  }
}

/** Pictures are part of the page, so that they follow its colours. */
function inlinePictures(md: Markdown): void {
  const render = md.renderer.rules.image!
  md.renderer.rules.image = (tokens, index, ...rest) => {
    const token = tokens[index]!
    const path = token.attrGet('src') ?? ''
    if (!/^\/pictures\/[\w-]+\.svg$/.test(path)) return render(tokens, index, ...rest)
    const svg = readFileSync(join(site, '..', 'docs', path), 'utf8')
    const label = md.utils.escapeHtml(token.content)
    return svg
      .replace(/<style>[\s\S]*?<\/style>\s*/, '')
      .replace(/<svg (?:class="([\w-]+)" )?/, (_, kind = '') => `<svg class="picture ${kind}" aria-label="${label}" `)
  }
}

/** `[[filter]]` is a field that filters the tables below it. */
function addFilters(md: Markdown): void {
  md.core.ruler.push('filters', ({ tokens, Token: Made }) => {
    const at = tokens.findIndex(({ type, content }) => type === 'inline' && content === '[[filter]]')
    if (at < 0) return
    const component: Token = new Made('html_block', '', 0)
    component.content = '<TableFilter />\n'
    tokens.splice(at - 1, 3, component)
  })
}

/** On a page with `codes: true`, a heading that is a code has this code as its anchor, which errors print. */
function addAnchors(md: Markdown): void {
  md.core.ruler.push('codes', ({ tokens, env }) => {
    if (env.frontmatter?.codes !== true) return
    for (const [index, token] of tokens.entries()) {
      const children = tokens[index + 1]?.children ?? []
      const code = children.find(({ type }) => type === 'code_inline')?.content
      if (token.type !== 'heading_open' || token.tag !== 'h2' || code === undefined) continue
      token.attrSet('id', code)
      children.find(({ type }) => type === 'link_open')?.attrSet('href', `#${code}`)
    }
  })
}

/** On a page with two programs, the first two sections are columns, each up to the end of its program. */
function addColumns(md: Markdown): void {
  md.core.ruler.push('columns', ({ tokens, env, Token: Made }) => {
    if (env.frontmatter?.pageClass !== 'two-programs') return
    const indexAfter = (start: number, isWanted: (token: Token) => boolean) =>
      tokens.findIndex((token, index) => index > start && isWanted(token))
    const isHeading = ({ type, tag }: Token) => type === 'heading_open' && tag === 'h2'
    const isProgram = ({ type }: Token) => type === 'fence'
    const first = indexAfter(-1, isHeading)
    const second = indexAfter(first, isHeading)
    const end = indexAfter(second, isProgram) + 1
    const names = second < 0 ? -1 : indexAfter(second, isHeading)
    if (first < 0 || second < 0 || end === 0 || names < end)
      throw new Error(`${env.relativePath}: expected two sections with a program each, and a section behind them.`)
    // From the end, so that places stay right.
    for (const [at, html] of [
      [end, '</div></div>\n'],
      [second, '</div><div>\n'],
      [first, '<div class="columns"><div>\n'],
    ] as const) {
      const token: Token = new Made('html_block', '', 0)
      token.content = html
      tokens.splice(at, 0, token)
    }
  })
}

/** Tables that are wider than the page scroll, also by keyboard. A heading of a table without text is a cell. */
function wrapTables(md: Markdown): void {
  md.renderer.rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'
  md.renderer.rules.table_close = () => '</table></div>\n'
  md.core.ruler.push('empty-headings', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue
      token.tag = 'td'
      tokens[index + 2]!.tag = 'td'
    }
  })
}

export default defineConfig({
  title: '@x',
  description,
  lang: 'en',
  base,
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  // `npm run site -- --check` looks at all links of the built site, also at those that VitePress does not know.
  ignoreDeadLinks: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    attrs: { disable: true },
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      escapeBraces(md)
      linkToPlayground(md)
      inlinePictures(md)
      addFilters(md)
      addAnchors(md)
      addColumns(md)
      wrapTables(md)
    },
  },
  themeConfig: {
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Playground', link: '/playground/', target: '_self' },
      { text: 'Errors', link: '/errors' },
      { text: 'Reference', link: '/reference/', target: '_self' },
      { text: 'Repository', link: repository },
    ],
    // The decisions have a menu of their own.
    sidebar: {
      '/': menu.slice(0, -1),
      '/decisions/': [...menu.slice(-1), ...menu.slice(0, 1)],
      // Written by the theme of TypeDoc.
      '/reference/': [{ items: [] }],
    },
    externalLinkIcon: true,
  },
})
