import { Body, Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import type { EnqueueResult } from 'nestjs-scheduled-jobs';
import { ExportPdf, Exports } from 'sample-jobs';
import { TokenGuard } from '../token.guard.js';

/** Asks for exports. Where one stands is read at `/scheduled-jobs/api/executions/<key>`. */
@Controller('exports')
@UseGuards(TokenGuard)
export class ExportsController {
  constructor(private readonly exports: Exports) {}

  /** The same project and version asked twice gives the same execution, the second time with `created: false`. */
  @Post()
  @HttpCode(202)
  request(@Body() wanted: ExportPdf): Promise<EnqueueResult> {
    return this.exports.request(wanted);
  }
}
