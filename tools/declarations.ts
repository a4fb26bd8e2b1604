/**
 * Finds the types that the declarations of a user's program can need and that no entry exports (TS2883, TS4023): compiles a program that
 * exports, with `declaration: true`, the results of what the built packages export.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBeside } from './command.ts'
import { packageFolders } from './packages.ts'

const call = '(...([] as never as [never]))'

/** Exports of the members of a class or an instance of it. */
function members(name: string, code: string, owner: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([key, { value }]) =>
    /^(?:constructor|prototype|length|name|_.*|.*\W.*)$/.test(key)
      ? []
      : `export const ${name}_${key} = ${code}.${key}${typeof value === 'function' ? call : ''}`,
  )
}

/** A module that exports what an entry has, and the results of its functions, constructors, methods and static methods. */
async function moduleOf(entry: string): Promise<string> {
  const lines = Object.entries(await import(entry)).flatMap(([name, value]) => {
    const code = `M.${name}`
    if (typeof value !== 'function') return `export const v_${name} = ${code}`
    if (!/^class/.test(String(value))) return `export const f_${name} = ${code}${call}`
    const made = `new ${code}${call}`
    const own = [...members(`m_${name}`, `(${made})`, value.prototype), ...members(`s_${name}`, code, value)]
    return [`export const i_${name} = ${made}`, ...own]
  })
  return [`import * as M from '${entry}'`, ...lines].join('\n')
}

/** Returns the errors in the declarations of programs that use the packages in these folders. */
export async function undeclared(folders: readonly string[]): Promise<string[]> {
  const reports = join(import.meta.dirname, '.reports')
  mkdirSync(reports, { recursive: true })
  const project = mkdtempSync(join(reports, 'declarations-'))
  try {
    for (const folder of packageFolders()) {
      const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      // Copies: of what links lead to, the compiler names every file.
      for (const part of ['package.json', 'dist'])
        cpSync(join(folder, part), join(project, 'node_modules', name, part), {
          recursive: true,
          filter: (path) => !/\.js$/.test(path),
        })
      if (!folders.includes(folder)) continue
      for (const entry of Object.keys(exports).filter((key) => exports[key].types))
        writeFileSync(
          join(project, `${join(name, entry).replaceAll(/\W+/g, '_')}.ts`),
          await moduleOf(join(name, entry)),
        )
    }
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      declaration: true,
      noEmit: true,
      types: ['node'],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    const { output } = await runBeside('tsc', ['-p', '.', '--pretty', 'false'], project)
    // Users read no private or protected members.
    const hidden = new Set(output.match(/^.*\(\d+(?=.*TS(?:2341|2445):)/gm))
    const found = output.match(/^.*TS(?:2883|4\d{3}):.*/gm) ?? []
    return found.filter((line) => !hidden.has(line.split(',')[0]!))
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}
