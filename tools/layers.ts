/**
 * Refuses imports between the folders of a package that go against the layers of `layers.config.ts`. Imports of types count, tests may
 * import anything. Refuses packages at the bottom that need a package which is not below them. Circles of files and packages that a
 * manifest does not name are refused by Biome.
 *
 * @example node tools/layers.ts
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { bottom, folderLayers } from './layers.config.ts'

const root = join(import.meta.dirname, '..')
const faults: string[] = []
let passed = 0
for (const [name, layers] of Object.entries(folderLayers)) {
  const src = join(root, 'packages', name.replace('@x/', ''), 'src')
  const layerOf = new Map(layers.flatMap(({ folders }, layer) => folders.map((folder) => [folder, layer] as const)))
  const folderOf = (path: string) => relative(src, path).split(/[\\/]/).slice(0, -1)[0]
  const used = new Set<string>()
  for (const path of globSync('*/**/*.ts', { cwd: src }).filter((path) => !/\.test(-d)?\.ts$|generated/.test(path))) {
    const own = folderOf(join(src, path))!
    used.add(own)
    if (!layerOf.has(own)) faults.push(`${name}: the folder ${own} has no layer in layers.config.ts`)
    const code = readFileSync(join(src, path), 'utf8').replaceAll(/^ *(?:\/?\*|\/\/).*$/gm, '')
    for (const [, specifier] of code.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)) {
      const other = folderOf(join(src, dirname(path), specifier!))
      if (other === undefined || other === own || !layerOf.has(other) || layerOf.get(other)! < layerOf.get(own)!)
        passed += 1
      else faults.push(`${name}: src/${path} imports ${specifier}: ${own} is not above ${other}`)
    }
  }
  for (const folder of layerOf.keys()) {
    if (!used.has(folder)) faults.push(`${name}: the folder ${folder} of layers.config.ts does not exist`)
  }
}
for (const [index, name] of bottom.entries()) {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name.replace('@x/', ''), 'package.json'), 'utf8'))
  const { dependencies, peerDependencies, devDependencies } = manifest
  for (const other of Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies })) {
    if (!other.startsWith('@x/') || bottom.slice(0, index).includes(other)) passed += 1
    else faults.push(`${name}: the manifest names ${other}, which is not below it`)
  }
}
for (const fault of faults) console.log(`  ${fault}`)
console.log(`layers: ${passed > 0 ? 1 : 0} passed, ${faults.length} failed`)
process.exitCode = faults.length === 0 && passed > 0 ? 0 : 1
