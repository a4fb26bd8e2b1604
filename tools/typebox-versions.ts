/**
 * Refuses packages that do not work with the oldest TypeBox that their peer range allows: schemas must be equal to those made with the
 * newest, and own models must accept, refuse and report the same.
 *
 * @example node tools/typebox-versions.ts
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { packageFolders } from './packages.ts'

/** Prints what the built packages do with the TypeBox of this name among the dependencies of the tools. */
async function printResults(name: string): Promise<void> {
  registerHooks({
    resolve(specifier, context, next) {
      if (!/^typebox(?:\/|$)/.test(specifier)) return next(specifier, context)
      return next(specifier.replace('typebox', name), { ...context, parentURL: import.meta.url })
    },
  })
  const results: Record<string, unknown> = {}
  for (const path of packageFolders()
    .map((folder) => join(folder, 'dist', 'schemas.js'))
    .filter((path) => existsSync(path))) {
    const values = Object.entries(await import(pathToFileURL(path).href))
    results[relative(process.cwd(), path)] = values.map(([key, value]) => [key, JSON.stringify(value)])
  }
  results['own models'] = await ownModels(name)
  console.log(JSON.stringify(results))
}

/** The behaviour of a class whose fields TypeBox checks. */
async function ownModels(name: string): Promise<unknown[]> {
  const { Model } = await import('@x/core-model')
  const { fields } = await import('@x/core-model/fields')
  const { typebox } = await import('@x/core-model/runtime')
  const { Integer, String: Text, Tuple }: typeof import('typebox') = await import(name)
  class Visit extends fields(Model, 'Visit', {
    mail: typebox(Text({ format: 'email' })),
    span: typebox(Tuple([Integer(), Integer({ minimum: 1 })]), { default: [0, 1] }),
  }) {}
  return [
    { mail: 'a@b.org' },
    { mail: 'nobody' },
    { mail: 'a@b.org', span: [1, 0] },
    { mail: 'a@b.org', span: [1] },
  ].map((data) => {
    try {
      return Visit.fromDict(data).toDict()
    } catch (error) {
      return String(error)
    }
  })
}

const child = process.argv[2]
if (child !== undefined) await printResults(child)
else {
  const [newest, lowest] = ['typebox', 'typebox-lowest'].map((name) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'typebox-versions.ts'), name],
      {
        encoding: 'utf8',
      },
    )
    return status === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : { [name]: stderr }
  })
  const differing = Object.keys({ ...newest, ...lowest }).filter(
    (key) => !isDeepStrictEqual(newest?.[key], lowest?.[key]),
  )
  for (const key of differing) {
    console.log(`  ${key}: newest ${JSON.stringify(newest?.[key])}\n  ${key}: lowest ${JSON.stringify(lowest?.[key])}`)
  }
  console.log(`typebox: ${Object.keys(newest ?? {}).length - differing.length} passed, ${differing.length} failed`)
  process.exitCode = differing.length === 0 ? 0 : 1
}
