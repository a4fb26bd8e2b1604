import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { checkedSchema } from '../../packages/core-model/src/field-specs.ts'
import type { JsonSchema } from '../../packages/core-model/src/model/json-schema.ts'

/** Name of the check function of a model. */
export const checkName = (model: string): string => `check${model}`

/** The source of a module with one check function per model, free of `eval` and of imports. */
export function compileChecks(models: readonly { name: string; schema: JsonSchema }[]): string {
  const ajv = new Ajv({
    code: { source: true, esm: true, lines: false, optimize: 2 },
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    validateFormats: false,
    messages: false,
  })
  const ids: Record<string, string> = {}
  for (const { name, schema } of models) {
    ajv.addSchema({ ...checkedSchema(schema), $id: name })
    ids[checkName(name)] = name
  }
  const standaloneCode = (standalone as unknown as { default?: typeof standalone }).default ?? standalone
  let code = (standaloneCode as unknown as (ajv: Ajv, ids: Record<string, string>) => string)(ajv, ids)
  code = code
    .replace(/const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;/g, 'const $1 = (s) => [...s].length;')
    .replace(/const (\w+) = require\("ajv\/dist\/runtime\/equal"\)\.default;/g, '')
    .replace(/\/\*# sourceURL=.*?\*\/;?/g, '')
    .replace(/^"use strict";/, '')
    // Only check functions and the schemas that they refer to: nothing runs at import.
    .replace(/;(?=export const|const |function )/g, ';\n')
  if (/require\(|new Function|\beval\(/.test(code)) throw new Error('The generated checks are not self-contained.')
  return `// @ts-nocheck\n// Generated from the schemas by tools/codegen. Do not edit.\n${code}\n`
}
