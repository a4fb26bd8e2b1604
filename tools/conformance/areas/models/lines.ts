/** Models in the forms of the lines of LlamaIndex for Python. The line is a field of the case. */
import { isNode } from '@x/core-model'
import { lineOf, type PythonLineName, pythonLine } from '@x/core-model/python'
import type { Case, Operations } from '../../case.ts'
import { CaseError } from '../../given.ts'
import { classOf, type OfModel } from './model-class.ts'

type OfData = OfModel & { data?: unknown }

/** The line that a case states. */
function statedLine({ line }: Case) {
  if (line === undefined) throw new CaseError('expected a field line beside op')
  return pythonLine(line as PythonLineName)
}

export const lines: Operations = {
  'line.write': ({ model, data }: OfData, testCase) =>
    classOf(model)
      .fromDict(data)
      .toDict({ line: statedLine(testCase) }),

  'line.hash': ({ model, data }: OfData, testCase) => {
    const node = classOf(model).fromDict(data)
    if (!isNode(node)) throw new CaseError('given.model: expected a class of nodes')
    return statedLine(testCase).hashOf(node)
  },

  'line.of': ({ data }: { data: unknown }) => lineOf(data),
}
