/**
 * @module
 * Draws a pipeline as a Mermaid flowchart.
 */
import type { QueryComponent } from '@x/core-model'
import type { Link } from './graph.ts'

/** The parts of a pipeline that are drawn. */
interface Graph {
  readonly modules: ReadonlyMap<string, QueryComponent>
  readonly allLinks: readonly Link[]
}

/** Returns the flowchart of a pipeline. Nested pipelines are subgraphs; links with a condition are dotted. */
export function mermaid(graph: Graph): string {
  return ['flowchart TD', ...body(graph, 'm', '  ')].join('\n')
}

function body({ modules, allLinks }: Graph, prefix: string, indent: string): string[] {
  const ids = new Map([...modules.keys()].map((key, index) => [key, `${prefix}${index}`]))
  const lines = [...modules].flatMap(([key, component]) => {
    const id = ids.get(key)!
    if (!isGraph(component)) return [`${indent}${id}["${escaped(key)}"]`]
    return [`${indent}subgraph ${id}["${escaped(key)}"]`, ...body(component, `${id}_`, `${indent}  `), `${indent}end`]
  })
  for (const { src, dest, options } of allLinks) {
    const arrow = options.conditionFn ? '-.->' : '-->'
    const label = labelOf(options.srcKey, options.destKey)
    lines.push(`${indent}${ids.get(src)} ${arrow}${label && `|"${escaped(label)}"|`} ${ids.get(dest)}`)
  }
  return lines
}

function isGraph(component: object): component is Graph & QueryComponent {
  return 'allLinks' in component && 'modules' in component
}

function labelOf(srcKey: string | null | undefined, destKey: string | null | undefined): string {
  if (srcKey && destKey && srcKey !== destKey) return `${srcKey} → ${destKey}`
  return srcKey || destKey || ''
}

/** Escapes a label as `#code;` characters: Mermaid interprets entities, HTML, Markdown and line feeds even inside quoted labels. */
function escaped(text: string): string {
  const label = text.replace(/[^\p{L}\p{N}\p{M} _.,:/→-]/gu, (sign) => `#${sign.codePointAt(0)};`)
  return label.trim() === '' ? '#32;' : label
}
