// The only user. Stateless; any thread.
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Connection;

/// <summary>The default user. If it has no password (requirepass is empty), it accepts any, as in Valkey.</summary>
internal static class DefaultUser
{
    public const string Name = "default";

    /// <summary>Checks name and password, and marks the client as authenticated if they are correct.</summary>
    public static bool TryAuthenticate(ClientSession client, ReadOnlySpan<byte> user, ReadOnlySpan<byte> password)
    {
        if (!user.SequenceEqual("default"u8) || (client.Server.RequiresPassword && !client.Server.Password.Matches(password)))
        {
            return false;
        }

        client.IsAuthenticated = true;
        return true;
    }

    /// <summary>Replies to a wrong name or password, and counts it.</summary>
    public static void Refuse(ref CommandContext context)
    {
        context.Server.Statistics.CountRefusedLogin();
        context.Reply.WriteError("WRONGPASS invalid username-password pair or user is disabled."u8);
    }

    /// <summary>The password's SHA-256 in hexadecimal digits, or null when there is no password.</summary>
    public static string? PasswordDigest(RespServer server) => server.RequiresPassword ? server.Password.ToString() : null;
}
