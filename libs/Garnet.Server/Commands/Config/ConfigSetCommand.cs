// CONFIG SET parameter value [parameter value ...]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Configuration;
using Garnet.Server.Modules;

namespace Garnet.Server.Commands.Config;

/// <summary>Changes options at run time: all of the given ones or none.</summary>
internal sealed class ConfigSetCommand(ServerModules modules, ServerConfiguration configuration)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SET",
        Arity = -4,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.0.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        IsSecret = IsSecret,
        MakeHandler = static parts => new ConfigSetCommand(parts.Get<ServerModules>(), parts.Get<ServerConfiguration>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count % 2 != 0)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        List<(string Name, string Value)> changes = [];
        ModuleSettingChanges ofModules = new(modules);
        for (int i = 0; i < (context.Count - 2) / 2; i++)
        {
            // Options are text: bytes that are not valid text would come back different from CONFIG GET and the file.
            ReadOnlySpan<byte> value = context[3 + (i * 2)];
            if (!System.Text.Unicode.Utf8.IsValid(value))
            {
                context.Reply.WriteError("ERR CONFIG SET failed - values must be UTF-8"u8);
                return;
            }
            string name = Encoding.Latin1.GetString(context[2 + (i * 2)]);
            if (!ofModules.TryAdd(name, Encoding.UTF8.GetString(value)))
                changes.Add((name, Encoding.UTF8.GetString(value)));
        }

        if (ofModules.Problem is { } refused)
        {
            context.Reply.WriteError("ERR " + refused);
            return;
        }

        bool mayProtected = configuration.Current.EnableProtectedConfigs.Includes(context.Client);
        ValueTask<string?> set = ofModules.ApplyAfterAsync(
            configuration.SetAsync(changes, mayWait: !context.Client.Transactions.IsExecuting, mayProtected)
        );
        if (!set.IsCompletedSuccessfully)
        {
            context.Suspend(new ConfigSetWait(set.AsTask()));
            return;
        }

        if (set.Result is { } problem)
            context.Reply.WriteError("ERR " + problem);
        else
            context.Reply.WriteOk();
        context.Scratch.TakeLimits();

        // Other clients are told later; this one's next commands, which may have arrived already, see the data without what has expired.
        if (context.Client.Modes.IsImportSource && !configuration.Current.ImportMode)
            context.Client.Modes.IsImportSource = context.Store.Expiry.IsSuspended = false;
        // The policy determines the meaning of the keys' access bytes; a new policy applies from the next command on.
        context.Store.RefreshTime();
    }

    private static bool IsSecret(ref CommandContext context, int argument) =>
        argument >= 3 && argument % 2 == 1 && OptionTable.Find(Encoding.Latin1.GetString(context[argument - 1])) is { Sensitive: true };
}
