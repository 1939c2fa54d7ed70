// AUTH and the login of HELLO. Stateless.
using System.Text;
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Checks a user's name and password.</summary>
internal static class Login
{
    /// <summary>Logs the client in, or replies with the refusal, logs and counts it, and returns false.</summary>
    public static bool TryLogIn(ref CommandContext context, ReadOnlySpan<byte> name, ReadOnlySpan<byte> password)
    {
        Users users = context.Server.Users;
        if (users.Authenticate(name, password) is { } user)
        {
            context.Client.Login.Begin(user);
            // Looked up again, as it may have been deleted before it could be seen that this client uses it.
            if (users.Find(user.Name) == user)
                return true;
            context.Client.Login.End(mayBeDefault: false);
        }

        context.Server.Statistics.CountDenial(Denial.Login);
        context.Server.Users.Denials.Add(context.Client, Denial.Login, context[0], Encoding.Latin1.GetString(name));
        context.Reply.WriteError("WRONGPASS invalid username-password pair or user is disabled."u8);
        return false;
    }
}
