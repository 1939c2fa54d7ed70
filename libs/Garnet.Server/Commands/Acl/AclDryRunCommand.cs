// ACL DRYRUN username command [arg [arg ...]]
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Says whether a user may make a call, without making it.</summary>
internal sealed class AclDryRunCommand(Users users, CommandTable commands)
{
    // Where the call begins among the arguments.
    private const int Call = 3;

    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DRYRUN",
        Arity = -4,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "7.0.0",
        MakeHandler = static parts => new AclDryRunCommand(parts.Get<Users>(), parts.Get<CommandTable>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (users.Find(context[2]) is not { } user)
        {
            ArgumentText.WriteError(ref context, $"ERR User '{ArgumentText.Printable(context[2])}' not found");
            return;
        }

        if (Find(ref context) is not { } command)
        {
            ArgumentText.WriteError(ref context, $"ERR Command '{ArgumentText.Printable(context[Call])}' not found");
            return;
        }

        if (!command.AcceptsArgumentCount(context.Count - Call))
        {
            ArgumentText.WriteError(ref context, $"ERR wrong number of arguments for '{command.FullName}' command");
            return;
        }

        int database = context.Client.Transactions.Open?.Database ?? context.Store.Database;
        Denial denial = Permission.Check(user.Rules, command, in context, Call, database, out int position);
        if (denial == Denial.None)
            context.Reply.WriteOk();
        else
            ArgumentText.WriteBulk(ref context, DenialReport.Full(denial, user, command, context[Call + position]));
    }

    private Command? Find(ref CommandContext context)
    {
        Command? command = commands.Find(context[Call]);
        return command is { IsContainer: true } && context.Count > Call + 1 ? command.FindSubcommand(context[Call + 1]) : command;
    }
}
