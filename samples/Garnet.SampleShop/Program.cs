// A shop whose cache is a Garnet server in its own process: direct commands, hybrid cache, output cache, session, locks and limits, all in
// one store that redis-cli can look into. With the setting CacheServer it is a further instance, whose caches use the first one's server.
using System.Globalization;
using System.Threading.RateLimiting;
using Garnet;
using Garnet.Caching;
using Garnet.SampleShop;
using Microsoft.AspNetCore.OutputCaching;

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
string? cacheServer = builder.Configuration["CacheServer"];

// Settings come from the section "Garnet" of appsettings.json; the server starts and stops with the application.
if (cacheServer is null)
    builder.Services.AddGarnet();
builder.Services.AddGarnetHybridCache(options =>
{
    (options.InstanceName, options.Address) = ("shop:", cacheServer);
    // The price is looked up once and then kept for as long as it is asked for, an hour at most.
    options.Policies["prices"] = new GarnetCacheEntryOptions
    {
        SlidingExpiration = TimeSpan.FromMinutes(5),
        Expiration = TimeSpan.FromHours(1),
    };
});
builder.Services.AddGarnetDistributedCache(options => (options.InstanceName, options.Address) = ("shop:session:", cacheServer));
builder.Services.AddGarnetOutputCache(options => (options.InstanceName, options.Address) = ("shop:", cacheServer));
builder.Services.AddGarnetLocks(options => (options.InstanceName, options.Address) = ("shop:", cacheServer));
builder.Services.AddGarnetLimits(options => (options.InstanceName, options.Address) = ("shop:", cacheServer));
TimeSpan searchWindow = builder.Configuration.GetValue("SearchWindow", TimeSpan.FromSeconds(30));
builder.Services.AddRateLimiter(limiter =>
{
    limiter.RejectionStatusCode = StatusCodes.Status429TooManyRequests;
    limiter.AddPolicy(
        "searches",
        context =>
            RateLimitPartition.Get(
                "searches",
                name => context.RequestServices.GetRequiredService<IGarnetLimits>().FixedWindow(name, 5, searchWindow)
            )
    );
});
builder.Services.AddSession(options => options.IdleTimeout = TimeSpan.FromMinutes(20));
builder.Services.AddSingleton<Warehouse>();

WebApplication app = builder.Build();
app.UseSession();
app.UseOutputCache();
app.UseRateLimiter();

if (cacheServer is null)
    MapDirectCommands(app);

// Hybrid cache: a hit is answered from the memory of this instance, and a key that none has is looked up by one caller of one instance.
app.MapGet(
    "/price/{article}",
    (string article, GarnetHybridCache cache, Warehouse warehouse, CancellationToken cancel) =>
        cache.GetOrCreateAsync(
            "price:" + article,
            async (_, cancel) => (await warehouse.LookUpPriceAsync(article, cancel)).ToString(CultureInfo.InvariantCulture),
            cache.Policy("prices"),
            ["prices", "article:" + article],
            cancel
        )
);

// Tags: when this has returned, no instance serves an old price.
app.MapDelete(
    "/prices",
    async (GarnetHybridCache cache, CancellationToken cancel) =>
    {
        await cache.RemoveByTagAsync("prices", cancel);
        return Results.NoContent();
    }
);

// Output cache: the whole page is kept until somebody changes the catalogue.
app.MapGet("/catalogue", (Warehouse warehouse) => warehouse.MakeCatalogue())
    .CacheOutput(policy => policy.Tag("catalogue").Expire(TimeSpan.FromMinutes(10)));
app.MapPost(
    "/catalogue",
    async (IOutputCacheStore pages, CancellationToken cancel) =>
    {
        await pages.EvictByTagAsync("catalogue", cancel);
        return Results.NoContent();
    }
);

// Lock: of all instances one counts the stock at a time; the number is larger than those of all counts before it.
app.MapPost(
    "/stocktaking",
    async (IGarnetLocks locks, CancellationToken cancel) =>
    {
        await using IGarnetLock? stock = await locks.TryAcquireAsync("stock", TimeSpan.FromSeconds(5), cancel);
        return stock is null ? Results.Conflict() : Results.Ok(stock.FencingToken);
    }
);

// Limit: of all instances together.
app.MapGet("/search/{word}", (string word) => $"no {word} yet").RequireRateLimiting("searches");

// Session: a basket for each visitor, kept by the distributed cache.
app.MapPost(
    "/basket/{article}",
    (string article, HttpContext context) =>
    {
        string basket = context.Session.GetString("basket") is { } before ? $"{before},{article}" : article;
        context.Session.SetString("basket", basket);
        return basket;
    }
);
app.MapGet("/basket", (HttpContext context) => context.Session.GetString("basket") ?? "");

app.Run();

static void MapDirectCommands(WebApplication app)
{
    // Direct commands: counts visits without a socket, while the same key can be read by any RESP client.
    app.MapGet("/visits", (IGarnet garnet) => garnet.Increment("visits"));

    // Transaction: what is sold is counted and written down, both at once; the reply is the order's number.
    app.MapPost(
        "/order/{article}",
        (string article, IGarnet garnet) =>
        {
            using IGarnetTransaction transaction = garnet.BeginTransaction();
            transaction.Queue("HINCRBY", "sold", article, "1");
            transaction.Queue("RPUSH", "orders", article);
            return transaction.Commit()![1].AsInt64();
        }
    );
}
