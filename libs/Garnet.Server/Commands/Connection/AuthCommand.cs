// AUTH [username] password
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Connection;

/// <summary>Authenticates the connection.</summary>
internal sealed class AuthCommand(Users users, Login login)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "AUTH",
        Arity = -2,
        Flags =
            CommandFlags.NoScript
            | CommandFlags.Loading
            | CommandFlags.Stale
            | CommandFlags.Fast
            | CommandFlags.NoAuth
            | CommandFlags.AllowBusy,
        Group = CommandGroup.Connection,
        Traits = CommandTraits.OfConnection | CommandTraits.TakesLongArguments,
        Since = "1.0.0",
        IsSecret = static (ref CommandContext _, int argument) => argument >= 1,
        MakeHandler = static parts => new AuthCommand(parts.Get<Users>(), parts.Get<Login>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count > 3)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        if (context.Count == 2 && users.Default.Rules.AcceptsAnyPassword)
        {
            context.Reply.WriteError(
                "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?"u8
            );
            return;
        }

        ReadOnlySpan<byte> user = context.Count == 2 ? "default"u8 : context[1];
        login.Try(ref context, user, context[context.Count - 1], static (ref CommandContext each) => each.Reply.WriteOk());
    }
}
