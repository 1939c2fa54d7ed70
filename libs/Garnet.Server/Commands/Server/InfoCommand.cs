// INFO [section [section ...]]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Statistics;

namespace Garnet.Server.Commands.Server;

/// <summary>Replies with information about the server as lines of text.</summary>
internal sealed class InfoCommand(InfoReport info)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "INFO",
        Arity = -1,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Dangerous,
        Since = "1.0.0",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
        MakeHandler = static parts => new InfoCommand(parts.Get<InfoReport>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        string[] sections = new string[context.Count - 1];
        for (int i = 0; i < sections.Length; i++)
            sections[i] = ArgumentText.Printable(context[i + 1]);
        context.Reply.WriteVerbatim("txt"u8, Encoding.Latin1.GetBytes(info.Make(sections)));
    }
}
