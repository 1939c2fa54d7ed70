// REPLCONF option value [option value ...]
using System.Globalization;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Configuration;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Replication;

/// <summary>What a replica tells about itself before PSYNC, and its acknowledgements, which get no reply.</summary>
internal sealed class ReplConfCommand(ServerReplication replication)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "REPLCONF",
        Arity = -1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.AllowBusy,
        Group = CommandGroup.Server,
        Traits = CommandTraits.OfConnection | CommandTraits.OfReplication,
        Since = "3.0.0",
        MakeHandler = static parts => new ReplConfCommand(parts.Get<ServerReplication>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count % 2 == 0)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        ReplicaLink link = context.Client.Output.Replica ??= replication.NewLink(context.Client);
        for (int i = 1; i < context.Count; i += 2)
        {
            if (context.Is(i, "ACK"u8))
            {
                Acknowledge(ref context, link, i);
                return;
            }

            // Asks a replica to acknowledge; the stream brings it, not a client.
            if (context.Is(i, "GETACK"u8))
                return;
            if (!TrySet(ref context, link.Properties, i))
                return;
        }

        context.Reply.WriteOk();
    }

    private static void Acknowledge(ref CommandContext context, ReplicaLink link, int index)
    {
        if (link.State == ReplicaLinkState.None || !IntegerText.TryParse(context[index + 1], out long position))
            return;
        long durable = 0;
        bool isDurable =
            context.Count > index + 3 && context.Is(index + 2, "FACK"u8) && IntegerText.TryParse(context[index + 3], out durable);
        link.Acknowledge(position, isDurable ? durable : null);
    }

    private static bool TrySet(ref CommandContext context, ReplicaProperties properties, int index)
    {
        int value = index + 1;
        if (context.Is(index, "LISTENING-PORT"u8))
        {
            if (!context.TryGetInteger(value, out long port))
                return false;
            properties.Port = (int)Math.Clamp(port, 0, ushort.MaxValue);
        }
        else if (context.Is(index, "IP-ADDRESS"u8))
        {
            if (context[value].Length >= ReplicaProperties.MaxAddressLength)
            {
                context.Reply.WriteError(
                    $"ERR REPLCONF ip-address provided by replica instance is too long: {context[value].Length} bytes"
                );
                return false;
            }

            properties.Address = ArgumentText.Printable(context[value]);
        }
        else if (context.Is(index, "CAPA"u8))
        {
            // Others are announced too, and need not be used.
            properties.TakesEndMark |= context.Is(value, "EOF"u8);
            properties.TakesNewHistory |= context.Is(value, "PSYNC2"u8);
        }
        else if (context.Is(index, "VERSION"u8))
        {
            if (!TryParseVersion(ArgumentText.Printable(context[value]), out int version))
            {
                ArgumentText.WriteError(ref context, $"ERR Unrecognized version format: {ArgumentText.Printable(context[value])}");
                return false;
            }

            properties.Version = version;
        }
        else if (context.Is(index, "RDB-ONLY"u8))
        {
            if (!context.TryGetInteger(value, out long isOnly))
                return false;
            properties.IsSnapshotOnly = isOnly == 1;
        }
        else if (context.Is(index, "RDB-FILTER-ONLY"u8))
        {
            return TryFilter(ref context, properties, value);
        }
        else
        {
            ArgumentText.WriteError(ref context, $"ERR Unrecognized REPLCONF option: {ArgumentText.Printable(context[index])}");
            return false;
        }

        return true;
    }

    // What is not named is left out of the snapshot; only functions can be named.
    private static bool TryFilter(ref CommandContext context, ReplicaProperties properties, int index)
    {
        if (ConfigurationLine.Split(ArgumentText.Printable(context[index])) is not { } words)
        {
            context.Reply.WriteError("ERR Missing rdb-filter-only values"u8);
            return false;
        }

        properties.TakesData = properties.TakesFunctions = false;
        foreach (string word in words)
        {
            if (!word.Equals("functions", StringComparison.OrdinalIgnoreCase))
            {
                ArgumentText.WriteError(ref context, $"ERR Unsupported rdb-filter-only option: {word}");
                return false;
            }

            properties.TakesFunctions = true;
        }

        return true;
    }

    // major.minor.patch, each up to 255.
    private static bool TryParseVersion(string text, out int version)
    {
        version = 0;
        string[] parts = text.Split('.');
        if (parts.Length != 3)
            return false;
        foreach (string part in parts)
        {
            if (!byte.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out byte number))
                return false;
            version = (version << 8) | number;
        }

        return true;
    }
}
