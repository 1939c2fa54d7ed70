// Deliveries of messages per second of a server's processor time, for several servers in turn:
// Garnet.PubSubLoad <name>=<port>:<process> ... [--seconds <n>] [--loads <name,name>] [--pipelines <n,n>]
using System.Globalization;
using System.Net;

namespace Garnet.PubSubLoad;

internal static class Program
{
    private static int Main(string[] arguments)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        List<(string Name, IPEndPoint EndPoint, int Process)> servers = [];
        double seconds = 4;
        string[] loads = [.. Scenario.All.Select(static load => load.Name)];
        int[] pipelines = [1, 32];
        for (int i = 0; i < arguments.Length; i++)
        {
            if (arguments[i] == "--seconds")
                seconds = double.Parse(arguments[++i], CultureInfo.InvariantCulture);
            else if (arguments[i] == "--loads")
                loads = arguments[++i].Split(',');
            else if (arguments[i] == "--pipelines")
                pipelines = [.. arguments[++i].Split(',').Select(static text => int.Parse(text, CultureInfo.InvariantCulture))];
            else
                servers.Add(ReadServer(arguments[i]));
        }

        if (servers.Count == 0)
        {
            Console.Error.WriteLine(
                "Garnet.PubSubLoad <name>=<port>:<process> ... [--seconds <n>] [--loads <name,name>] [--pipelines <n,n>]"
            );
            return 2;
        }

        Console.WriteLine("| load | pipeline | server | deliveries/s | processor s | deliveries/processor s | of the first | peak MiB |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        foreach (Scenario load in Scenario.All.Where(load => loads.Contains(load.Name)))
        {
            foreach (int pipeline in load.PayloadBytes > 100_000 ? [1] : pipelines)
                Measure(servers, load, pipeline, seconds);
        }

        return 0;
    }

    private static (string, IPEndPoint, int) ReadServer(string text)
    {
        string[] parts = text.Split('=', ':');
        int port = int.Parse(parts[1], CultureInfo.InvariantCulture);
        return (parts[0], new IPEndPoint(IPAddress.Loopback, port), int.Parse(parts[2], CultureInfo.InvariantCulture));
    }

    private static void Measure(List<(string Name, IPEndPoint EndPoint, int Process)> servers, Scenario load, int pipeline, double seconds)
    {
        double first = 0;
        foreach ((string name, IPEndPoint endPoint, int process) in servers)
        {
            var result = Measurement.Of(endPoint, process, load, pipeline, seconds);
            first = first == 0 ? result.PerProcessorSecond : first;
            Console.WriteLine(
                $"| {load.Name} | {pipeline} | {name} | {result.Deliveries / result.Seconds:N0} | {result.ProcessorSeconds:F2} | {result.PerProcessorSecond:N0} | {result.PerProcessorSecond / first:F2} | {result.PeakMebibytes:F0} |"
            );
        }
    }
}
