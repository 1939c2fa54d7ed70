// Every command with large keys, large values, many arguments and numbers at the edge: what does it cost others? A slice always, hours when
// asked.
using System.Diagnostics;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests.Generator;

public sealed class CostlyRequestTests(ITestOutputHelper output)
{
    private const int Repetitions = 3;

    // Times decide only in the full run beside Valkey: a slice on a busy machine is there for what must hold anywhere, a server that goes
    // on and knows no exception.
    [Fact]
    public async Task No_request_costs_others_more_than_a_tenth_of_a_second_or_64_megabytes()
    {
        var generator = new RequestGenerator(TestSeed.Choose(output, 1));
        await using MeasuredServer garnet = await MeasuredServer.StartAsync(AttackedServer.StartGarnet());
        await using MeasuredServer? valkey =
            FaultScale.IsFull && AttackedServer.TryStartValkey() is { } peer ? await MeasuredServer.StartAsync(peer) : null;
        IReadOnlyList<CommandGrammar> commands = await CommandGrammar.ReadAsync(garnet.Client);
        var random = new Random(TestSeed.Choose(output, 1));
        List<string> offenders = [];
        long start = Stopwatch.GetTimestamp();
        int tried = 0;
        while (Stopwatch.GetElapsedTime(start) < FaultScale.FuzzTime)
        {
            CommandGrammar command = commands[random.Next(commands.Count)];
            (string[] request, string[] copies) = generator.Next(command);
            tried++;
            RequestCost cost = await MeasureAsync(garnet, request, copies);
            if (cost.Reply.StartsWith("connection closed", StringComparison.Ordinal))
            {
                // Also written here, as the onlooker's connection may have failed too, and its exception is the one reported.
                output.WriteLine($"{Shorten(request)}: {cost.Reply}");
                Assert.Fail($"{Shorten(request)}: {cost.Reply}");
            }

            if (!cost.IsTooMuch)
                continue;
            cost = await MinAsync(garnet, request, copies, cost);
            RequestCost? other =
                valkey is null || !cost.IsTooMuch
                    ? null
                    : await MinAsync(valkey, request, copies, await MeasureAsync(valkey, request, copies));
            if (cost.IsTooMuch)
                output.WriteLine($"{cost} (Valkey {other?.ToString() ?? "not measured"}): {Shorten(request)} -> {cost.Reply}");
            if (other is not null && cost.IsWorseThan(other))
                offenders.Add($"{cost} (Valkey {other}): {Shorten(request)}");
        }

        output.WriteLine($"{tried} requests of {commands.Count} commands");
        Assert.True(tried > 0);
        Assert.Equal("PONG", (await garnet.Client.CallAsync("PING")).Text);
        Assert.True(offenders.Count == 0, string.Join(Environment.NewLine, offenders));
    }

    private async Task<RequestCost> MeasureAsync(MeasuredServer server, string[] request, string[] copies)
    {
        try
        {
            return await server.MeasureAsync(request, copies);
        }
        catch
        {
            // The connections fail with it, and theirs are the exceptions that are reported.
            output.WriteLine($"{server.Name}: {Shorten(request)}");
            throw;
        }
    }

    private async Task<RequestCost> MinAsync(MeasuredServer server, string[] request, string[] copies, RequestCost cost)
    {
        for (int i = 1; i < Repetitions && cost.IsTooMuch; i++)
        {
            await server.ForgetCopiesAsync();
            cost = cost.Least(await MeasureAsync(server, request, copies));
        }

        await server.ForgetCopiesAsync();
        return cost;
    }

    private static string Shorten(string[] request)
    {
        string text = string.Join(
            ' ',
            request
                .Take(30)
                .Select(static word =>
                    word.Length > 40 ? $"{word[..20]}...({word.Length})"
                    : word.Length == 0 ? "\"\""
                    : word
                )
        );
        return request.Length > 30 ? $"{text} ... ({request.Length} words)" : text;
    }
}
