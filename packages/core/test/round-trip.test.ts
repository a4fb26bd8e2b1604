import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import { Author, Book } from './sample-models.ts'

describeRoundTrips({ Author, Book })
