// A defect in a command that a script calls. Each test has its own server.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Composition;
using Garnet.Server.Scripting;
using Xunit;

namespace Garnet.Server.Tests.Commands.Scripting;

public sealed class ThrowingScriptTests
{
    // More than there are machines.
    private const int Calls = 70;

    private static readonly CommandDescriptor Defect = new()
    {
        Name = "DEFECT",
        Arity = 1,
        Flags = CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Since = "1.0.0",
        Handler = static (ref CommandContext context) => throw new InvalidOperationException("a defect"),
    };

    [Fact]
    public void A_script_that_ends_with_an_exception_leaves_its_machine_to_others()
    {
        using InProcessServer server = new(extensions: new ServerExtensions { Commands = [Defect] });
        for (int i = 0; i < Calls; i++)
        {
            using InProcessClient client = server.Connect();
            Assert.StartsWith("-ERR the command failed", client.Call("EVAL", "return redis.call('DEFECT')", "0"), StringComparison.Ordinal);
            Assert.Equal(":1\r\n", client.Call("EVAL", "return 1", "0"));
        }

        Assert.Equal(":1\r\n", server.Call("EVAL", "return 1", "0"));
        ScriptMachine first = server.Server.Scripts.Rent();
        first.Release();
        ScriptMachine second = server.Server.Scripts.Rent();
        second.Release();
        Assert.Same(first, second);
    }
}
