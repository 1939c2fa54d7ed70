// What a command has changed about its connection. Pure functions.
using System.Globalization;
using System.Text;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Connection;

/// <summary>Follows SELECT, transactions, RESET and HELLO, for the prompt and for the next connection.</summary>
internal static class SessionEffect
{
    /// <summary>Applies what the reply confirms.</summary>
    public static void Apply(byte[][] command, RespValue reply, SessionState state, ConnectionOptions connection)
    {
        ReadOnlySpan<byte> name = command[0];
        if (CommandName.Is(name, "select"u8) && command.Length == 2 && !reply.IsError)
        {
            if (int.TryParse(Encoding.UTF8.GetString(command[1]), NumberStyles.Integer, CultureInfo.InvariantCulture, out int database))
                connection.Database = state.Database = database;
        }
        else if (CommandName.Is(name, "multi"u8) && command.Length == 1 && !reply.IsError)
        {
            state.BeginTransaction();
        }
        else if (CommandName.Is(name, "exec"u8) && command.Length == 1 && state.IsInTransaction)
        {
            state.EndTransaction(hasTakenEffect: !reply.IsError && !reply.IsNull);
            connection.Database = state.Database;
        }
        else if (CommandName.Is(name, "discard"u8) && command.Length == 1 && !reply.IsError)
        {
            state.EndTransaction(hasTakenEffect: false);
            connection.Database = state.Database;
        }
        else if (CommandName.Is(name, "reset"u8) && command.Length == 1 && !reply.IsError)
        {
            state.Reset();
            connection.Database = 0;
        }
        else if (CommandName.Is(name, "hello"u8) && reply.Kind is RespKind.Map or RespKind.Array)
        {
            state.IsResp3 = reply.Kind == RespKind.Map;
        }
    }
}
