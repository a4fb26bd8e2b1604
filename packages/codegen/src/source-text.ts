/**
 * @module
 * Reads imports, type arguments and exported classes from TypeScript sources.
 */
import { type ParserPlugin, parse } from '@babel/parser'

/** A node of the syntax tree. */
export interface SyntaxNode {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

const plugins: ParserPlugin[] = ['typescript']

/** Parses a module and returns its statements. */
export function statementsOf(source: string): SyntaxNode[] {
  return parse(source, { sourceType: 'module', plugins }).program.body as unknown as SyntaxNode[]
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'

/** Calls `visit` with a node and all nodes inside it. */
export function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(node)
  for (const value of Object.values(node))
    for (const part of Array.isArray(value) ? value : [value]) if (isNode(part)) walk(part, visit)
}

/** An imported name. */
export interface ImportedName {
  /** Its name in the exporting module. */
  name: string
  /** The module specifier. */
  module: string
}

/** Returns the named imports of a module, by local name. */
export function importsOf(statements: readonly SyntaxNode[]): Map<string, ImportedName> {
  const imports = new Map<string, ImportedName>()
  for (const statement of statements) {
    if (statement.type !== 'ImportDeclaration') continue
    const module = (statement['source'] as { value: string }).value
    for (const specifier of statement['specifiers'] as SyntaxNode[]) {
      if (specifier.type !== 'ImportSpecifier') continue
      const imported = specifier['imported'] as { name?: string; value?: string }
      const local = specifier['local'] as { name: string }
      imports.set(local.name, { name: imported.name ?? imported.value ?? local.name, module })
    }
  }
  return imports
}

/** Returns the names of the types that a type refers to, without those that it declares itself. */
export function typeNames(type: SyntaxNode): Set<string> {
  const names = new Set<string>()
  const declared = new Set<string>()
  walk(type, (node) => {
    if (node.type === 'TSTypeParameter') declared.add(nameOf(node['name']))
    if (node.type === 'TSTypeReference') names.add(leftmost(node['typeName'] as SyntaxNode))
    if (node.type === 'TSTypeQuery') names.add(leftmost(node['exprName'] as SyntaxNode))
  })
  for (const name of declared) names.delete(name)
  return names
}

/** Whether a module exports a class of this name. */
export function exportsClass(statements: readonly SyntaxNode[], name: string): boolean {
  return statements.some((statement) => {
    const declaration = statement['declaration'] as SyntaxNode | null | undefined
    return (
      statement.type === 'ExportNamedDeclaration' &&
      declaration?.type === 'ClassDeclaration' &&
      nameOf(declaration['id']) === name
    )
  })
}

function nameOf(identifier: unknown): string {
  return typeof identifier === 'string' ? identifier : (identifier as { name: string }).name
}

function leftmost(name: SyntaxNode): string {
  return name.type === 'TSQualifiedName' ? leftmost(name['left'] as SyntaxNode) : nameOf(name)
}
