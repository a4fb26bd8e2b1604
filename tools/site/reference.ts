/** The reference of all names of all entries, written by TypeDoc from the sources. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from '../packages.ts'
import { basePath } from './addresses.ts'
import { root } from './pages.ts'

const site = join(root, 'site')

/** The sources of the entries of all packages. */
function entryPoints(): string[] {
  return packageFolders().flatMap((folder) => {
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const sources = Object.entries(exports as Record<string, { '@x/source'?: string }>).flatMap(([entry, paths]) =>
      // The schemas repeat the classes, and internal entries are for these packages.
      paths['@x/source'] === undefined || /^\.\/(?:schemas|internal)$/.test(entry) ? [] : [paths['@x/source']],
    )
    return sources.map((source) => join(folder, source)).filter((path) => existsSync(path))
  })
}

/**
 * Writes the reference into a folder of the site.
 * @param run - runs a program in the folder of the site.
 */
export function writeReference(dist: string, run: (command: string, args: string[]) => void): void {
  const folder = mkdtempSync(join(root, 'node_modules', '.reference-'))
  const entries = entryPoints()
  const compilerOptions = {
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    typeRoots: [join(root, 'node_modules', '@types')],
    customConditions: ['@x/source'],
    allowImportingTsExtensions: true,
  }
  const tsconfig = join(folder, 'tsconfig.json')
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files: entries }),
  )
  const options = {
    entryPoints: entries,
    tsconfig,
    plugin: [join(site, 'name-modules.mjs')],
    customCss: join(site, 'reference.css'),
    preservedTypeAnnotationTags: ['@throws'],
    // A sentence for each module, and for each name of a module.
    useFirstParagraphOfCommentAsSummary: true,
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    hideGenerator: true,
    readme: 'none',
    name: '@x',
    basePath: join(root, 'packages'),
    out: join(dist, 'reference'),
    navigationLinks: { Guides: basePath, Errors: `${basePath}errors` },
    validation: false,
    logLevel: 'Error',
  }
  const path = join(folder, 'typedoc.json')
  writeFileSync(path, JSON.stringify(options))
  try {
    run(process.execPath, [join('node_modules', 'typedoc', 'bin', 'typedoc'), '--options', path])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Mends what TypeDoc's pages lack for screen readers: a main part, names of its menus, headings in order, no link inside of a button. */
const accessible = (html: string): string =>
  html
    .replace('<div class="col-content"', '<div class="col-content" role="main"')
    .replace('<nav id="tsd-sidebar-links"', '$& aria-label="Links"')
    .replaceAll(
      /(<summary\b(?:(?!<\/summary>)[\s\S])*?)<a [^>]*class="tsd-anchor-icon">(?:(?!<\/a>)[\s\S])*<\/a>/g,
      '$1',
    )
    .replaceAll(
      /(<div class="tsd-tag-[\w-]+">\s*)<h4( [^>]*)>((?:(?!<\/h4>)[\s\S])*)<\/h4>/g,
      '$1<div role="term"$2>$3</div>',
    )
    // The class of an error begins its sentence.
    .replaceAll(
      /<span class="tsd-type-annotation">\{(\w+)\}<\/span>(<p>)?/g,
      (_, name, paragraph = '') => `${paragraph}<code>${name}</code> `,
    )

/** The pages that a newcomer needs come before others with the same words. */
const isFirst = /^(?:start|choose)\.html$/

/** Says of each page which part of the site it is, and which text belongs to the page itself, for the search. */
export function labelParts(dist: string): void {
  for (const name of globSync('**/*.html', { cwd: dist })) {
    const path = join(dist, name)
    const isReference = /^reference[\\/]/.test(name)
    // The search is for users: decisions, which name everything, would come first.
    const isSearched = !/^decisions[\\/]/.test(name)
    const html = readFileSync(path, 'utf8')
    const labelled = (isReference ? accessible(html) : html)
      .replace('<body', `<body data-pagefind-filter="part:${isReference ? 'Reference' : 'Guides'}"`)
      .replace(
        /<main\b|<div class="col-content"/,
        isSearched ? `$& data-pagefind-body${isFirst.test(name) ? ' data-pagefind-weight="10"' : ''}` : '$&',
      )
      .replace('<div class="VPHome', '<div role="main" data-pagefind-body class="VPHome')
      // The label of the language of a program, which would be a part of its first word.
      .replaceAll('<span class="lang">', '<span class="lang" data-pagefind-ignore>')
    writeFileSync(path, labelled)
  }
}
