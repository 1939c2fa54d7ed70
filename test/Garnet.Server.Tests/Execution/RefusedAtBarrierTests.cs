// Commands that are refused after they have waited to run alone: told and counted as refused. A second thread holds the barrier back.
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Server.Basics;
using Garnet.Server.Composition;
using Garnet.Server.Scripting;
using Garnet.Server.Tests.Commands;
using Garnet.Server.Tests.Modules;
using Garnet.Store;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Execution;

public sealed class RefusedAtBarrierTests
{
    [Theory]
    [InlineData("FLUSHALL", 0)]
    [InlineData("EXEC", 1)]
    public async Task A_command_refused_at_the_barrier_is_shown_and_counted_like_one_refused_before(string command, int shown)
    {
        using InProcessServer server = new();
        using InProcessClient watcher = server.Connect();
        watcher.Call("MONITOR");
        await RefuseAtBarrier(server, command);
        Assert.Equal(shown, Regex.Count(watcher.Receive(), $"\"{command}\""));
    }

    [Theory]
    [InlineData("FLUSHALL")]
    [InlineData("EXEC")]
    public async Task A_command_refused_at_the_barrier_is_not_counted_as_called(string command)
    {
        using InProcessServer server = new();
        await RefuseAtBarrier(server, command);
        Assert.Matches(
            $"cmdstat_{command.ToLowerInvariant()}:calls=0,.*,rejected_calls=1,failed_calls=0\r\n",
            server.Call("INFO", "commandstats")
        );
    }

    [Fact]
    public void A_command_in_steps_does_not_queue_for_the_end_of_a_pause_at_each_step()
    {
        int waits = 0;
        CommandDescriptor steps = new()
        {
            Name = "STEPS",
            Arity = 1,
            Flags = CommandFlags.Write,
            Group = CommandGroup.Generic,
            Since = "1.0.0",
            MakeHandler = parts =>
                (ref CommandContext context) =>
                {
                    ClientPause pause = parts.Get<ClientRegistry>().Pause;
                    pause.Begin(long.MaxValue, onlyWrites: false, nowMs: 0);
                    for (int i = 0; i < 100; i++)
                        Assert.True(context.Client.Executor.TryContinue(ref context));
                    pause.Lift();
                    context.Reply.WriteOk();
                },
        };
        using InProcessServer server = new(extensions: new ServerExtensions { Commands = [steps] });
        server.Server.Executor.Replace(new CountingGate(server.Server.Clients.Pause, () => waits++));
        Assert.Equal(Replies.Ok, server.Call("STEPS"));
        Assert.Equal(0, waits);
    }

    [Fact]
    public void A_slow_script_that_ends_before_the_refusal_is_written_leaves_a_text()
    {
        // What a command throws that found a slow script while it waited to run alone; none runs any more.
        CommandDescriptor late = new()
        {
            Name = "LATE",
            Arity = 1,
            Flags = CommandFlags.Write,
            Group = CommandGroup.Generic,
            Since = "1.0.0",
            MakeHandler = static _ => static (ref _) => throw new KeyspaceBusyException(),
        };
        using InProcessServer server = new(extensions: new ServerExtensions { Commands = [late] });
        Assert.Equal($"-{Encoding.ASCII.GetString(BusyText.BusyScript)}\r\n", server.Call("LATE"));
        Assert.Equal("+PONG\r\n", server.Call("PING"));
        Assert.Contains(
            "cmdstat_late:calls=0,usec=0,usec_per_call=0.00,rejected_calls=1",
            server.Call("INFO", "commandstats"),
            StringComparison.Ordinal
        );
    }

    private static async Task RefuseAtBarrier(InProcessServer server, string command)
    {
        if (command == "EXEC")
        {
            server.Call("MULTI");
            server.Call("SET", "k", "2");
            server.Call("FLUSHDB");
        }

        using StoreSession inside = server.Store.OpenSession();
        inside.EnterBatch();
        Task<string> call = Task.Run(() => server.Call(command));
        Eventually.True(() => server.Store.Epochs.IsBarred(inside));
        server.Server.Persistence.Loading = new LoadingStatus(1);
        inside.LeaveBatch();
        Assert.Contains("LOADING", await call, StringComparison.Ordinal);
        server.Server.Persistence.Loading = null;
    }

    private sealed class CountingGate(ClientPause pause, Action asked) : Gate(GateMask.Pause)
    {
        public override bool Concerns(in CommandNeeds needs) => true;

        public override GateAnswer Ask(ref CommandContext request)
        {
            if (!pause.MayBeActive)
                return default;
            asked();
            return GateAnswer.WaitFor(Task.Delay(Timeout.Infinite));
        }
    }
}
