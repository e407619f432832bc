import { Injectable } from '@nestjs/common';
import { JobsClient, type EnqueueResult } from 'nestjs-scheduled-jobs';
import { DataSource } from 'typeorm';
import { ExportPdf } from './export-pdf.js';
import { EXPORT_PDF } from './export.jobs.js';
import { ProjectExport } from './project-export.entity.js';

/** Takes requests for exports. */
@Injectable()
export class Exports {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsClient,
  ) {}

  /**
   * Writes the request and its job in one transaction: either both exist or neither. Asking again for the same project
   * and version gives the execution that is there, also when two ask at the same moment.
   */
  async request({ projectId, version }: ExportPdf): Promise<EnqueueResult> {
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager
        .createQueryBuilder()
        .insert()
        .into(ProjectExport)
        .values({ projectId, version })
        .orIgnore()
        .execute();
      return this.jobs.enqueue(EXPORT_PDF, { projectId, version }, { manager });
    });
  }
}
