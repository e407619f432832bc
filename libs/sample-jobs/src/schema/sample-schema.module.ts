import { Module } from '@nestjs/common';
import { SampleSchema } from './sample-schema.js';

/** Imported by every sample that has tables: Nest initialises imported modules first. */
@Module({ providers: [SampleSchema] })
export class SampleSchemaModule {}
