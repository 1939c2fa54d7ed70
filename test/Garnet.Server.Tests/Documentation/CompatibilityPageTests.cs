// Checks docs/compatibility.md against the commands that the server implements. GARNET_WRITE_DOCS=1 regenerates the page.
using System.Text;
using System.Text.Json;
using Garnet.Engine.Execution;
using Garnet.Server.Composition;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Documentation;

public sealed class CompatibilityPageTests
{
    private static string Page => RepositoryRoot.Combine("docs", "compatibility.md");

    [Fact]
    public void The_page_lists_every_Valkey_command_and_whether_it_is_implemented()
    {
        string expected = Write();
        Assert.True(
            expected == GeneratedDocument.WriteAndRead(Page, expected),
            GeneratedDocument.Remedy(Page, "Garnet.Server.Tests", nameof(CompatibilityPageTests))
        );
    }

    private static string Write()
    {
        HashSet<string> implemented = [.. Names(new CommandTable(CommandFamilies.All).Commands).Where(static name => !IsRefused(name))];
        Entry[] all = [.. Entries()];
        StringBuilder page = new();
        page.Append(
            "# Commands\n\nEvery command of Valkey 9.1, and whether this version implements it. Implemented commands behave like Valkey's: the tests compare\n"
        );
        page.Append(
            "replies, errors and edge cases with real servers. The others reply `ERR unknown command`, those of `CLUSTER` that cluster\nsupport is disabled. `CompatibilityPageTests` generates this page from the command table and checks it.\n\n"
        );
        page.Append($"{all.Count(e => implemented.Contains(e.Name))} of {all.Length} commands and subcommands are implemented.\n");
        foreach (IGrouping<string, Entry> group in all.GroupBy(e => e.Group).OrderBy(g => g.Key, StringComparer.Ordinal))
        {
            page.Append($"\n## {group.Key}\n\n| command | since | implemented |\n|---|---|---|\n");
            foreach (Entry entry in group)
            {
                page.Append(
                    $"| `{entry.Name.Replace('|', ' ').ToUpperInvariant()}` | {entry.Since} | {(implemented.Contains(entry.Name) ? "yes" : "not yet")} |\n"
                );
            }
        }

        return page.ToString();
    }

    private static IEnumerable<string> Names(IEnumerable<Command> commands) =>
        commands.SelectMany(command => command.Subcommands.Select(sub => sub.FullName).Prepend(command.FullName));

    // Known, and answered with the error of a server that is not part of a cluster.
    private static bool IsRefused(string name) => name.StartsWith("cluster|", StringComparison.Ordinal) && name != "cluster|keyslot";

    private static IEnumerable<Entry> Entries()
    {
        foreach (string line in File.ReadLines(RepositoryRoot.Combine("libs", "Garnet.Server", "Documentation", "command-docs.txt")))
        {
            int tab = line.IndexOf('\t');
            using var json = JsonDocument.Parse(line[(tab + 1)..]);
            yield return new Entry(
                line[..tab],
                json.RootElement.GetProperty("group").GetString()!,
                json.RootElement.GetProperty("since").GetString()!
            );
        }
    }

    private readonly record struct Entry(string Name, string Group, string Since);
}
