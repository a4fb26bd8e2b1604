import { expect, it } from 'vitest'
import * as codegen from './index.ts'

it('exports these names', () => {
  expect(Object.keys(codegen).sort().join(' ')).toMatchInlineSnapshot(`"CodegenError generateModels"`)
})
