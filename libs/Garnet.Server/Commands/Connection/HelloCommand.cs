// HELLO [protover [AUTH username password] [SETNAME clientname]]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Basics;
using Garnet.Server.Commands.Modules;
using Garnet.Server.Configuration;
using Garnet.Server.Modules;
using Garnet.Server.Replication;

namespace Garnet.Server.Commands.Connection;

/// <summary>Selects the protocol version, optionally authenticates and names the connection, and describes the server.</summary>
internal sealed class HelloCommand(Login login, ServerConfiguration configuration, ServerReplication replication, ServerModules modules)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELLO",
        Arity = -1,
        Flags =
            CommandFlags.NoScript
            | CommandFlags.Loading
            | CommandFlags.Stale
            | CommandFlags.Fast
            | CommandFlags.NoAuth
            | CommandFlags.AllowBusy,
        Group = CommandGroup.Connection,
        Traits = CommandTraits.OfConnection,
        Since = "6.0.0",
        IsSecret = IsSecret,
        MakeHandler = static parts =>
            new HelloCommand(
                parts.Get<Login>(),
                parts.Get<ServerConfiguration>(),
                parts.Get<ServerReplication>(),
                parts.Get<ServerModules>()
            ).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        long version = 0;
        if (context.Count >= 2 && !IntegerText.TryParse(context[1], out version))
        {
            context.Reply.WriteError("ERR Protocol version is not an integer or out of range"u8);
            return;
        }

        if (context.Count >= 2 && version is not (2 or 3))
        {
            context.Reply.WriteError("NOPROTO unsupported protocol version"u8);
            return;
        }

        if (!TryParseOptions(ref context, out int user, out _))
            return;
        if (user == 0)
            Finish(ref context);
        else
            login.Try(ref context, context[user], context[user + 1], Finish);
    }

    // The arguments are valid, and the login that they ask for has succeeded.
    private void Finish(ref CommandContext context)
    {
        ClientSession client = context.Client;
        if (client.Login.IsRequired)
        {
            context.Reply.WriteError(
                "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time"u8
            );
            return;
        }

        long version = 0;
        if (context.Count >= 2)
            IntegerText.TryParse(context[1], out version);
        TryParseOptions(ref context, out _, out int name);
        if (name != 0)
            client.Names.Client = Encoding.ASCII.GetString(context[name]);
        if (version != 0 && version != client.ProtocolVersion && !client.Transactions.IsExecuting)
            client.Session?.WriteOwnMessages(ref context);
        if (version != 0)
            context.Reply.ProtocolVersion = client.ProtocolVersion = (int)version;
        WriteServer(ref context);
    }

    // The last of several options of a kind wins, as in Valkey; 0 means that an option is missing.
    private static bool TryParseOptions(ref CommandContext context, out int user, out int name)
    {
        user = name = 0;
        for (int i = 2; i < context.Count; i++)
        {
            int more = context.Count - 1 - i;
            if (more >= 2 && context.Is(i, "AUTH"u8))
            {
                user = i + 1;
                i += 2;
            }
            else if (more >= 1 && context.Is(i, "SETNAME"u8))
            {
                name = ++i;
                if (!ClientSetNameCommand.CheckName(ref context, name))
                    return false;
            }
            else
            {
                ArgumentText.WriteError(ref context, $"ERR Syntax error in HELLO option '{ArgumentText.Printable(context[i])}'");
                return false;
            }
        }

        return true;
    }

    private void WriteServer(ref CommandContext context)
    {
        GarnetOptions options = configuration.Current;
        string zone = options.AvailabilityZone;
        context.Reply.WriteMap(zone.Length == 0 ? 7 : 8);
        context.Reply.WriteBulk("server"u8);
        context.Reply.WriteBulk(options.ExtendedRedisCompatibility ? "redis"u8 : "garnet"u8);
        context.Reply.WriteBulk("version"u8);
        context.Reply.WriteBulk(ServerVersion.Compatibility);
        context.Reply.WriteBulk("proto"u8);
        context.Reply.WriteInteger(context.Client.ProtocolVersion);
        context.Reply.WriteBulk("id"u8);
        context.Reply.WriteInteger(context.Client.Id);
        context.Reply.WriteBulk("mode"u8);
        context.Reply.WriteBulk("standalone"u8);
        context.Reply.WriteBulk("role"u8);
        context.Reply.WriteBulk(replication.IsReplica ? "replica"u8 : "master"u8);
        context.Reply.WriteBulk("modules"u8);
        ModuleListCommand.Write(ref context, modules.All);
        if (zone.Length == 0)
            return;
        context.Reply.WriteBulk("availability_zone"u8);
        context.Reply.WriteBulk(Encoding.UTF8.GetBytes(zone));
    }

    // AUTH and two arguments after the version.
    private static bool IsSecret(ref CommandContext context, int argument) =>
        (argument >= 3 && context.Is(argument - 1, "AUTH"u8)) || (argument >= 4 && context.Is(argument - 2, "AUTH"u8));
}
