// The one user there is. Stateless; any thread.
using System.Security.Cryptography;
using System.Text;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Connection;

/// <summary>The default user: without a password (requirepass is empty) it takes any, as in Valkey.</summary>
internal static class DefaultUser
{
    /// <summary>The user's name.</summary>
    public const string Name = "default";

    /// <summary>Checks name and password, and marks the client authenticated when they are right.</summary>
    public static bool TryAuthenticate(ClientSession client, ReadOnlySpan<byte> user, ReadOnlySpan<byte> password)
    {
        if (
            !user.SequenceEqual("default"u8)
            || (client.Server.RequiresPassword && !IsPassword(client.Server.Configuration.Current.RequirePass, password))
        )
        {
            return false;
        }

        client.IsAuthenticated = true;
        return true;
    }

    /// <summary>Answers and counts a wrong user or password.</summary>
    public static void Refuse(ref CommandContext context)
    {
        context.Server.Statistics.CountRefusedLogin();
        context.Reply.WriteError("WRONGPASS invalid username-password pair or user is disabled."u8);
    }

    /// <summary>The password's SHA-256 in hexadecimal digits, or null when there is no password.</summary>
    public static string? PasswordDigest(RespServer server) =>
        server.RequiresPassword
            ? Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(server.Configuration.Current.RequirePass)))
            : null;

    // Digests have one length, so the time of the comparison tells nothing about the password's length or start.
    private static bool IsPassword(string expected, ReadOnlySpan<byte> given)
    {
        Span<byte> expectedDigest = stackalloc byte[SHA256.HashSizeInBytes];
        Span<byte> givenDigest = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(Encoding.UTF8.GetBytes(expected), expectedDigest);
        SHA256.HashData(given, givenDigest);
        return CryptographicOperations.FixedTimeEquals(expectedDigest, givenDigest);
    }
}
