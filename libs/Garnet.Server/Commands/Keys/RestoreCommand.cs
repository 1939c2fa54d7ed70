// RESTORE key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.Rdb;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Creates a key from a payload made by DUMP. As in Valkey, FREQ takes effect only with an LFU policy, and IDLETIME only without one.
/// </summary>
internal sealed class RestoreCommand(ServerConfiguration configuration, SnapshotReader snapshots)
{
    private const int Ttl = 2;
    private const int Payload = 3;

    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESTORE",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Dangerous | AclCategories.Keyspace,
        Since = "2.6.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update)],
        Event = KeyEvents.Restore,
        MakeHandler = static parts => new RestoreCommand(parts.Get<ServerConfiguration>(), parts.Get<SnapshotReader>()).Execute,
    };

    /// <summary>Also executes RESTORE-ASKING.</summary>
    public void Execute(ref CommandContext context)
    {
        if (!RestoreOptions.TryParse(ref context, out RestoreOptions options))
            return;
        if (!options.Replaces && context.Store.Reads.Exists(context[1], context.Hash(1)))
        {
            context.Reply.WriteError(BusyKey);
            return;
        }

        if (!context.TryGetInteger(Ttl, out long ttl))
            return;
        if (ttl < 0)
        {
            context.Reply.WriteError("ERR Invalid TTL value, must be >= 0"u8);
            return;
        }

        bool takesAnyVersion = context.Client.Origin.IsReplay || configuration.Current.RdbVersionCheck == RdbVersionCheck.Relaxed;
        if (!RdbPayloadReader.IsIntact(context[Payload], takesAnyVersion, verifiesChecksum: !snapshots.SkipsChecksums))
        {
            context.Reply.WriteError("ERR DUMP payload version or checksum are wrong"u8);
            return;
        }

        // The value is built before the key is latched, because that may take long.
        bool isRead = RdbPayloads.OfThread.Of(context.Scratch).Reader.TryRead(context.Store, context[Payload], out RdbRestoredValue value);
        context.Scratch.Counters.CheckedPayloads += RdbPayloads.OfThread.Of(context.Scratch).Reader.TakeChecked();
        if (!isRead)
            context.Reply.WriteError("ERR Bad data format"u8);
        else
            Store(ref context, options, ttl, value);
    }

    private static ReadOnlySpan<byte> BusyKey => "BUSYKEY Target key name already exists."u8;

    private static void Store(ref CommandContext context, in RestoreOptions options, long ttl, RdbRestoredValue value)
    {
        if (!context.Store.Memory.TryReserve(value.StringLength))
        {
            value.Discard();
            context.Reply.WriteError(ErrorText.OutOfMemory);
            return;
        }

        byte? access = AccessOf(ref context, options);
        RecordHandle record = context.OpenTarget(1, isStored: !options.Replaces);
        if (record.Exists && !options.Replaces)
        {
            value.Discard();
            context.Reply.WriteError(BusyKey);
            return;
        }

        // As in Valkey, the key becomes a new one without access statistics.
        bool isReplaced = record.Delete();
        long expiresAtMs =
            ttl == 0 ? -1
            : options.IsAbsolute ? ttl
            : unchecked(ttl + context.RunningNowMs);
        if (ttl != 0 && context.HasPassed(expiresAtMs))
        {
            value.Discard();
            if (isReplaced)
                context.ReplaceEffect("DEL"u8, context[1]);
        }
        else
        {
            value.StoreTo(ref record, expiresAtMs);
            if (access is { } known)
                record.Usage.SetAccess(known);
            DescribeEffect(ref context, options, ref record, expiresAtMs);
        }

        context.Reply.WriteOk();
    }

    // The key's access byte; null if it is that of a new key.
    private static byte? AccessOf(ref CommandContext context, in RestoreOptions options)
    {
        if (context.Store.Store.Eviction.CountsFrequency)
            return options.Frequency < 0 ? null : (byte)options.Frequency;
        return options.IdleSeconds < 0
            ? null
            : context.Store.Accesses.ByteOf((options.IdleSeconds & ObjectIdleTimeCommand.ClockMask) * 1000, context.Store);
    }

    // The command as it was sent, but with an absolute expiry, and with a payload that replicas of older versions read if there is one.
    private static void DescribeEffect(ref CommandContext context, in RestoreOptions options, ref RecordHandle record, long expiresAtMs)
    {
        if (!context.HasSink)
            return;
        ReadOnlySpan<byte> payload = context[Payload];
        bool isRelative = expiresAtMs >= 0 && !options.IsAbsolute;
        bool isNewer = RdbPayloadReader.VersionOf(payload) > RdbWriter.UsualVersion;
        if (!isRelative && !isNewer)
            return;
        if (isNewer && DumpPayload.TryEncode(RdbPayloads.OfThread.Of(context.Scratch).Writer, in record, out ReadOnlySpan<byte> own, out _))
            payload = own;
        if (RdbPayloadReader.VersionOf(payload) > RdbWriter.UsualVersion)
            context.Client.Propagation.NeedsNewReplicas = true;
        EffectBuffer effect = context.BeginEffect(context.Count + (isRelative ? 1 : 0));
        for (int i = 0; i < context.Count; i++)
        {
            if (i == Ttl && isRelative)
                effect.Add(expiresAtMs);
            else
                effect.Add(i == Payload ? payload : context[i]);
        }

        if (isRelative)
            effect.Add("ABSTTL"u8);
    }
}
