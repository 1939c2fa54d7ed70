// The HELP subcommand, which every container has from its descriptor.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Xunit;

namespace Garnet.Server.Tests.Commands.Introspection;

public sealed class HelpTests
{
    [Fact]
    public void Every_container_has_help_that_names_its_subcommands()
    {
        using InProcessServer server = new();
        // Valkey's CLUSTER HELP is refused, too, where there is no cluster.
        Command[] containers =
        [
            .. server.Server.Commands.Commands.Where(static command => command.IsContainer && command.Descriptor.Name != "CLUSTER"),
        ];
        Assert.NotEmpty(containers);
        foreach (Command container in containers)
        {
            string name = container.Descriptor.Name;
            string reply = server.Call(name, "HELP");
            Assert.Contains($"\r\n+{name} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\r\n", reply, StringComparison.Ordinal);
            Assert.EndsWith("\r\n+HELP\r\n+    Print this help.\r\n", reply, StringComparison.Ordinal);
            Assert.Equal(2, container.FindSubcommand("help"u8)!.Descriptor.Arity);
            string[] missing =
            [
                .. container
                    .Subcommands.Select(static subcommand => subcommand.Descriptor.Name)
                    .Where(sub => !reply.Contains($"\r\n+{sub}\r\n", StringComparison.Ordinal))
                    .Where(sub => !reply.Contains($"\r\n+{sub} ", StringComparison.Ordinal)),
            ];
            string[] hidden = name == "CLIENT" ? ["IMPORT-SOURCE"] : [];
            Assert.Equal(hidden, missing);
            Assert.Contains("wrong number of arguments", server.Call(name, "HELP", "x"), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Help_is_listed_among_the_subcommands_with_its_own_version_and_categories()
    {
        using InProcessServer server = new();
        Command container = server.Server.Commands.Find("OBJECT"u8)!;
        Assert.Equal(
            ["ENCODING", "FREQ", "HELP", "IDLETIME", "REFCOUNT"],
            container.Subcommands.Select(static subcommand => subcommand.Descriptor.Name)
        );
        Command help = container.FindSubcommand("HELP"u8)!;
        Assert.Equal("6.2.0", help.Descriptor.Since);
        Assert.Equal(AclCategories.Keyspace | AclCategories.Slow, help.Categories);
    }
}
