import type { GivenRole, Role } from '../../../shared/roles.ts';
import type { Entity, Flag } from '../../infra/db.types.ts';

export interface WorkspaceTable extends Entity {
  name: string;
  /** Somebody chose the name; otherwise it is the login name of whose it is, which customers never see. */
  named: Flag;
  personal_of: string | null;
  avatar: string | null;
}

export interface MemberTable {
  workspace: string;
  user: string;
  role: Role;
  created_at: number;
  updated_at: number;
}

export interface InvitationTable extends Entity {
  workspace: string;
  role: GivenRole;
  email: string | null;
  code_hash: string;
  invited_by: string | null;
  expires_at: number;
  accepted_at: number | null;
  revoked_at: number | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    workspace: WorkspaceTable;
    member: MemberTable;
    invitation: InvitationTable;
  }
}
