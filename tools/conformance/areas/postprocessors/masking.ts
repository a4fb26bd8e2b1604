/** Masking of personal data in one string. */
import { NERPIINodePostprocessor, PIINodePostprocessor } from '@x/postprocessors'
import { operation } from '../../case.ts'
import { argument, CaseError, shape } from '../../reader.ts'
import type { ClassOperation } from './class-operations.ts'
import { listedKeys } from './node-record.ts'
import { resourceKeys } from './resources.ts'
import { Workbench } from './workbench.ts'

export const masking: Readonly<Record<string, ClassOperation>> = {
  mask_pii: (postprocessor) =>
    operation(shape({ ...resourceKeys, text: argument<string>() }), ({ text, ner, ...resources }, { value }) =>
      Workbench.run(async (bench) => {
        const made = bench.create(postprocessor, resources)
        if (made instanceof PIINodePostprocessor) {
          const masked = await made.maskPii(text)
          return listedKeys({ ...masked, ...bench.records() }, value)
        }
        if (!(made instanceof NERPIINodePostprocessor)) throw new CaseError(`${made.constructor.name} masks no text`)
        const entities = Array.isArray(ner) ? ner : []
        return listedKeys({ ...(await made.maskPii(() => entities, text)) }, value)
      }),
    ),
}
