import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One version of a project as a document, once it is made. */
@Entity({ schema: 'samples', name: 'exports', synchronize: false })
export class ProjectExport {
  @PrimaryColumn({ name: 'project_id', type: 'text' })
  readonly projectId: string;

  @PrimaryColumn({ name: 'version', type: 'integer' })
  readonly version: number;

  /** Null until the job has run. */
  @Column({ name: 'pdf', type: 'bytea', nullable: true, select: false })
  readonly pdf: Buffer | null;
}
