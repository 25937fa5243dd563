import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Broadcasts and step messages of LINE channels, and the links in them whose taps are counted. */
export const lineCampaigns: Migration = {
  name: '0041-line-campaigns',
  async up(trx, engine) {
    const postgres = engine === 'postgres';
    const id = sql.raw(postgres ? 'uuid' : 'text');
    const small = sql.raw(postgres ? 'smallint' : 'integer');
    const entity = sql`uuid ${id} primary key, created_at bigint not null, updated_at bigint not null`;
    const workspace = sql`workspace ${id} not null references workspace (uuid) on delete cascade`;
    const channel = sql`channel ${id} not null references line_channel (uuid) on delete cascade`;
    const broadcast = sql`broadcast ${id} not null references broadcast (uuid) on delete cascade`;
    const identity = sql`identity ${id} not null references guest_identity (uuid) on delete cascade`;
    for (const statement of [
      sql`alter table guest_tag add column created_at bigint not null default 0`,
      sql`update guest set silent = 0 where uuid in (select guest from guest_identity where channel = 'line')`,
      sql`create table broadcast (${entity}, ${workspace}, ${channel}, name text not null, content text not null,
        audience text not null, time text, taps text not null, tap_tag text, state text not null, reason text,
        detail text not null, due_at bigint, started_at bigint, ended_at bigint, plan text, chosen_at bigint,
        recipients integer, sent integer not null, failed integer not null, skipped integer not null)`,
      sql`create index broadcast_channel on broadcast (channel, created_at, uuid)`,
      sql`create index broadcast_workspace on broadcast (workspace)`,
      sql`create table broadcast_recipient (${broadcast}, ${identity}, state text not null, primary key (broadcast, identity))`,
      sql`create index broadcast_recipient_identity on broadcast_recipient (identity)`,
      sql`create index broadcast_recipient_waiting on broadcast_recipient (broadcast, identity) where state = 'waiting'`,
      sql`create table broadcast_batch (uuid ${id} primary key, created_at bigint not null, ${broadcast}, people text not null)`,
      sql`create index broadcast_batch_broadcast on broadcast_batch (broadcast)`,
      sql`create table line_tester ("user" ${id} not null references "user" (uuid) on delete cascade, ${channel},
        ${workspace}, guest ${id} not null references guest (uuid) on delete cascade, primary key ("user", channel))`,
      sql`create index line_tester_channel on line_tester (channel)`,
      sql`create index line_tester_guest on line_tester (guest)`,
      sql`create index line_tester_workspace on line_tester (workspace)`,

      sql`create table step_scenario (${entity}, ${workspace}, ${channel}, name text not null, active_since bigint,
        looked_at bigint not null, on_trigger text not null, stop text not null, again ${small} not null,
        timezone text not null, steps text not null)`,
      sql`create index step_scenario_channel on step_scenario (channel, created_at, uuid)`,
      sql`create index step_scenario_workspace on step_scenario (workspace)`,
      sql`create table step_enrolment (${entity}, scenario ${id} not null references step_scenario (uuid) on delete cascade,
        ${identity}, started_at bigint not null, state text not null, reason text, step ${id}, due_at bigint)`,
      sql`create unique index step_enrolment_once on step_enrolment (scenario, identity, started_at)`,
      sql`create index step_enrolment_identity on step_enrolment (identity)`,
      sql`create index step_enrolment_due on step_enrolment (due_at) where due_at is not null`,
      sql`create table step_sent (enrolment ${id} not null references step_enrolment (uuid) on delete cascade,
        step ${id} not null, created_at bigint not null, primary key (enrolment, step))`,
      sql`create index step_sent_step on step_sent (step)`,

      // Links outlive what they were sent with, and the channel: somebody may still tap them.
      sql`create table line_link (${entity}, ${workspace}, channel ${id} not null, owner ${id} not null, target text not null,
        code text not null unique, tag text, timezone text not null)`,
      sql`create index line_link_owner on line_link (owner)`,
      sql`create index line_link_channel on line_link (channel, created_at, uuid)`,
      sql`create index line_link_workspace on line_link (workspace)`,
      sql`create table line_link_person (code text primary key, link ${id} not null references line_link (uuid) on delete cascade,
        ${identity}, taps integer not null, tapped_at bigint)`,
      sql`create unique index line_link_person_once on line_link_person (link, identity)`,
      sql`create index line_link_person_identity on line_link_person (identity)`,
      sql`create table line_link_day (link ${id} not null references line_link (uuid) on delete cascade, day text not null,
        taps integer not null, primary key (link, day))`,
    ])
      await statement.execute(trx);
  },
};
