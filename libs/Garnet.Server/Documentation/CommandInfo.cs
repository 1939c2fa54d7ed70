// A command as shown by COMMAND and COMMAND INFO. Stateless.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Server.Documentation;

/// <summary>Writes a command's descriptor in the ten elements that clients know.</summary>
internal static class CommandInfo
{
    // In the order of the flags' bits; hidden flags have no name.
    private static readonly (CommandFlags Flag, byte[] Name)[] FlagNames =
    [
        (CommandFlags.Write, "write"u8.ToArray()),
        (CommandFlags.ReadOnly, "readonly"u8.ToArray()),
        (CommandFlags.DenyOom, "denyoom"u8.ToArray()),
        (CommandFlags.Admin, "admin"u8.ToArray()),
        (CommandFlags.PubSub, "pubsub"u8.ToArray()),
        (CommandFlags.NoScript, "noscript"u8.ToArray()),
        (CommandFlags.Blocking, "blocking"u8.ToArray()),
        (CommandFlags.Loading, "loading"u8.ToArray()),
        (CommandFlags.Stale, "stale"u8.ToArray()),
        (CommandFlags.SkipMonitor, "skip_monitor"u8.ToArray()),
        (CommandFlags.SkipSlowlog, "skip_commandlog"u8.ToArray()),
        (CommandFlags.Asking, "asking"u8.ToArray()),
        (CommandFlags.Fast, "fast"u8.ToArray()),
        (CommandFlags.NoAuth, "no_auth"u8.ToArray()),
        (CommandFlags.NoMandatoryKeys, "no_mandatory_keys"u8.ToArray()),
        (CommandFlags.NoAsyncLoading, "no_async_loading"u8.ToArray()),
        (CommandFlags.NoMulti, "no_multi"u8.ToArray()),
        (CommandFlags.MovableKeys, "movablekeys"u8.ToArray()),
        (CommandFlags.Module, "module"u8.ToArray()),
        (CommandFlags.AllowBusy, "allow_busy"u8.ToArray()),
    ];

    private static readonly (KeySpecFlags Flag, byte[] Name)[] KeyFlagNames =
    [
        (KeySpecFlags.RO, "RO"u8.ToArray()),
        (KeySpecFlags.RW, "RW"u8.ToArray()),
        (KeySpecFlags.OW, "OW"u8.ToArray()),
        (KeySpecFlags.RM, "RM"u8.ToArray()),
        (KeySpecFlags.Access, "access"u8.ToArray()),
        (KeySpecFlags.Update, "update"u8.ToArray()),
        (KeySpecFlags.Insert, "insert"u8.ToArray()),
        (KeySpecFlags.Delete, "delete"u8.ToArray()),
        (KeySpecFlags.NotKey, "not_key"u8.ToArray()),
        (KeySpecFlags.Incomplete, "incomplete"u8.ToArray()),
        (KeySpecFlags.VariableFlags, "variable_flags"u8.ToArray()),
    ];

    /// <summary>Writes a command; null is written as a null.</summary>
    public static void Write(ref RespWriter reply, Command? command)
    {
        if (command is null)
        {
            reply.WriteNull();
            return;
        }

        var range = LegacyKeyRange.Of(command.Descriptor.Keys);
        CommandFlags flags = command.Flags | (range.IsPartial ? CommandFlags.MovableKeys : 0);
        reply.WriteArray(10);
        reply.WriteBulk(command.FullNameBytes);
        reply.WriteInteger(command.Descriptor.Arity);
        reply.WriteSet(FlagNames.Count(named => (flags & named.Flag) != 0));
        foreach ((CommandFlags flag, byte[] name) in FlagNames)
        {
            if ((flags & flag) != 0)
                reply.WriteSimpleString(name);
        }

        reply.WriteInteger(range.FirstKey);
        reply.WriteInteger(range.LastKey);
        reply.WriteInteger(range.Step);
        WriteCategories(ref reply, command.Categories);
        reply.WriteSet(command.Descriptor.Tips.Length);
        foreach (string tip in command.Descriptor.Tips)
            reply.WriteBulk(tip);
        reply.WriteSet(command.Descriptor.Keys.Length);
        foreach (KeySpec spec in command.Descriptor.Keys)
            WriteKeySpec(ref reply, spec);
        reply.WriteArray(command.Subcommands.Count);
        foreach (Command subcommand in command.Subcommands)
            Write(ref reply, subcommand);
    }

    /// <summary>Writes the set of a key's access flags.</summary>
    public static void WriteKeyFlags(ref RespWriter reply, KeySpecFlags flags)
    {
        reply.WriteSet(KeyFlagNames.Count(named => (flags & named.Flag) != 0));
        foreach ((KeySpecFlags flag, byte[] name) in KeyFlagNames)
        {
            if ((flags & flag) != 0)
                reply.WriteSimpleString(name);
        }
    }

    private static void WriteCategories(ref RespWriter reply, AclCategories categories)
    {
        AclCategories[] given = Enum.GetValues<AclCategories>().Where(category => category != 0 && categories.HasFlag(category)).ToArray();
        reply.WriteSet(given.Length);
        foreach (AclCategories category in given)
            reply.WriteSimpleString(Encoding.ASCII.GetBytes("@" + category.ToString().ToLowerInvariant()));
    }

    private static void WriteKeySpec(ref RespWriter reply, KeySpec spec)
    {
        reply.WriteMap(spec.Notes is null ? 3 : 4);
        if (spec.Notes is not null)
        {
            reply.WriteBulk("notes"u8);
            reply.WriteBulk(spec.Notes);
        }

        reply.WriteBulk("flags"u8);
        WriteKeyFlags(ref reply, spec.Flags);
        reply.WriteBulk("begin_search"u8);
        if (spec.Keyword is not null)
        {
            WriteType(ref reply, "keyword"u8, 2);
            reply.WriteBulk("keyword"u8);
            reply.WriteBulk(spec.Keyword);
            WriteNumber(ref reply, "startfrom"u8, spec.StartFrom);
        }
        else if (!spec.IsUnknown)
        {
            WriteType(ref reply, "index"u8, 1);
            WriteNumber(ref reply, "index"u8, spec.BeginIndex);
        }
        else
        {
            WriteType(ref reply, "unknown"u8, 0);
        }

        WriteFindKeys(ref reply, spec);
    }

    private static void WriteFindKeys(ref RespWriter reply, KeySpec spec)
    {
        reply.WriteBulk("find_keys"u8);
        if (spec.IsCounted)
        {
            WriteType(ref reply, "keynum"u8, 3);
            WriteNumber(ref reply, "keynumidx"u8, spec.CountIndex);
            WriteNumber(ref reply, "firstkey"u8, spec.FirstKey);
            WriteNumber(ref reply, "keystep"u8, spec.KeyStep);
        }
        else if (!spec.IsUnknown)
        {
            WriteType(ref reply, "range"u8, 3);
            WriteNumber(ref reply, "lastkey"u8, spec.LastKey);
            WriteNumber(ref reply, "keystep"u8, spec.KeyStep);
            WriteNumber(ref reply, "limit"u8, spec.Limit);
        }
        else
        {
            WriteType(ref reply, "unknown"u8, 0);
        }
    }

    private static void WriteType(ref RespWriter reply, ReadOnlySpan<byte> type, int members)
    {
        reply.WriteMap(2);
        reply.WriteBulk("type"u8);
        reply.WriteBulk(type);
        reply.WriteBulk("spec"u8);
        reply.WriteMap(members);
    }

    private static void WriteNumber(ref RespWriter reply, ReadOnlySpan<byte> name, int value)
    {
        reply.WriteBulk(name);
        reply.WriteInteger(value);
    }
}
