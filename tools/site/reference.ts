/** The reference of all names of all entries, written by TypeDoc from the sources, in pages of the site. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { packageFolders } from '../packages.ts'
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
  const program = join(folder, 'reference.js')
  buildSync({
    entryPoints: [join(site, 'reference-page.ts')],
    outfile: program,
    bundle: true,
    minify: true,
    format: 'esm',
  })
  const options = {
    entryPoints: entries,
    tsconfig,
    plugin: ['name-modules', 'reference-theme'].map((name) => join(site, `${name}.mjs`)),
    theme: 'site',
    lightHighlightTheme: 'github-light-high-contrast',
    darkHighlightTheme: 'github-dark-high-contrast',
    customCss: join(site, 'reference.css'),
    customJs: program,
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
    name: 'Reference',
    basePath: join(root, 'packages'),
    out: join(dist, 'reference'),
    visibilityFilters: {},
    validation: false,
    logLevel: 'Error',
  }
  const path = join(folder, 'typedoc.json')
  writeFileSync(path, JSON.stringify(options))
  try {
    run(process.execPath, [join('node_modules', 'typedoc', 'bin', 'typedoc'), '--options', path])
    // What its own theme would load.
    for (const name of ['main', 'search', 'navigation', 'hierarchy', 'icons'])
      rmSync(join(dist, 'reference', 'assets', `${name}.js`), { force: true })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The pages that a newcomer needs come before others with the same words. */
const isFirst = /^(?:start|choose)\.html$/

/** Says of each page which part of the site it is, and which text belongs to the page itself, for the search. */
export function labelParts(dist: string): void {
  for (const name of globSync('**/*.html', { cwd: dist })) {
    const path = join(dist, name)
    const isReference = /^reference[\\/]/.test(name)
    // The search is for users: decisions, which name everything, would come first.
    const isSearched = !/^(?:decisions[\\/]|404\.)/.test(name)
    const html = readFileSync(path, 'utf8')
    const labelled = html
      .replace('<body', `<body data-pagefind-filter="part:${isReference ? 'Reference' : 'Guides'}"`)
      .replace(
        /<main\b/,
        isSearched ? `$& data-pagefind-body${isFirst.test(name) ? ' data-pagefind-weight="10"' : ''}` : '$&',
      )
      .replace('<div class="VPHome', '<div role="main" data-pagefind-body class="VPHome')
      // The label of the language of a program, which would be a part of its first word.
      .replaceAll('<span class="lang">', '<span class="lang" data-pagefind-ignore>')
    writeFileSync(path, labelled)
  }
}
