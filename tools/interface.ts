/**
 * Refuses a `docs/interface.md` that names an operation or field which the built packages do not have.
 *
 * @example node tools/interface.ts
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toSnakeCase } from '@x/core-model/internal'

interface Row {
  interfaceName: string
  name: string
  package: string
}

const text = readFileSync(join(import.meta.dirname, '..', 'docs', 'interface.md'), 'utf8')
const rows: Row[] = [...text.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| `(@x\/[^`]+)` \|$/gm)].map(
  ([, interfaceName, name, from]) => ({ interfaceName: interfaceName!, name: name!, package: from! }),
)

// biome-ignore lint/suspicious/noExplicitAny: any class
async function classOf({ name, package: from }: Row): Promise<any> {
  const exports = (await import(from)) as Record<string, unknown>
  const className = name.split(/[.#]/, 1)[0]!
  if (typeof exports[className] !== 'function') throw new Error(`${from} exports no class ${className}`)
  return exports[className]
}

/** Returns why a row is wrong, or null. */
async function fault(row: Row): Promise<string | null> {
  try {
    const [, name] = /^(\w+)\(\)$/.exec(row.name) ?? []
    if (name !== undefined)
      return typeof (await import(row.package))[name] === 'function'
        ? null
        : `${row.package} exports no function ${name}`
    const owner = await classOf(row)
    const [, kind, member] = /([.#])(?:fields\.)?(\w+)(?:\(\))?$/.exec(row.name)!
    if (row.name.includes('.fields.')) {
      const field = owner.spec().fields[member!]
      if (field === undefined) return 'there is no such field'
      const wire = field.wire ?? toSnakeCase(member!)
      return wire === row.interfaceName ? null : `its wire name is ${wire}`
    }
    // Abstract operations exist on the concrete classes only; their base is checked through those.
    const holder = kind === '.' ? owner : owner.prototype
    return member! in holder || (holder === owner.prototype && isAbstract(owner)) ? null : 'there is no such operation'
  } catch (error) {
    return (error as Error).message
  }
}

/** Whether a class is only a base: it has no name on the wire. */
function isAbstract(owner: { spec?: () => { className?: string } }): boolean {
  return owner.spec !== undefined && owner.spec().className === undefined
}

let failed = 0
for (const row of rows) {
  const reason = await fault(row)
  if (reason === null) continue
  failed += 1
  console.log(`  ${row.name} (${row.package}): ${reason}`)
}
console.log(`interface: ${rows.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && rows.length > 0 ? 0 : 1
